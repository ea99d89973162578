// Answers jq programs by gojq, a line of JSON each: the oracle of the differential tests.
// With an argument, such a line, it tells how long a run of the compiled program takes.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/itchyny/gojq"
)

type request struct {
	P string
	V any
}

type answer struct {
	Out     []json.RawMessage `json:"out"`
	Error   string            `json:"error,omitempty"`
	Compile string            `json:"compile,omitempty"`
}

func run(line string) answer {
	var asked request
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	if err := decoder.Decode(&asked); err != nil {
		return answer{Compile: err.Error()}
	}
	query, err := gojq.Parse(asked.P)
	if err != nil {
		return answer{Compile: err.Error()}
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return answer{Compile: err.Error()}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	found := answer{Out: []json.RawMessage{}}
	for iter := code.RunWithContext(ctx, asked.V); len(found.Out) <= 500; {
		value, ok := iter.Next()
		if !ok {
			break
		}
		if err, failed := value.(error); failed {
			found.Error = "error: " + err.Error()
			if ctx.Err() != nil {
				found.Error = "timeout"
			}
			break
		}
		text, err := gojq.Marshal(value)
		if err != nil {
			found.Error = "error: " + err.Error()
			break
		}
		found.Out = append(found.Out, text)
	}
	return found
}

// bench prints how many nanoseconds a run of one compiled program takes, its outputs taken out one by one.
func bench(line string) {
	var asked request
	if err := json.Unmarshal([]byte(line), &asked); err != nil {
		panic(err)
	}
	query, err := gojq.Parse(asked.P)
	if err != nil {
		panic(err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		panic(err)
	}
	best := time.Hour
	for round := 0; round < 10; round++ {
		const times = 2000
		start := time.Now()
		for n := 0; n < times; n++ {
			iter := code.Run(asked.V)
			for {
				if _, ok := iter.Next(); !ok {
					break
				}
			}
		}
		best = min(best, time.Since(start)/times)
	}
	fmt.Println(best.Nanoseconds())
}

func main() {
	if len(os.Args) > 1 {
		bench(os.Args[1])
		return
	}
	debug.SetMemoryLimit(1 << 30)
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return
		}
		text, _ := json.Marshal(run(line))
		fmt.Println(string(text))
	}
}
