// Writes random quantities and what Kubernetes' own package makes of them, as CSV without a header:
//
//	text, canonical, format, nano, sum
//
// text is read as the API server reads it in a JSON string. canonical, format and nano (the amount in nano units) are
// empty if it is refused. sum is the canonical text of the last accepted quantity plus this one. The table beside this
// program was made by
//
//	go run . -n 20000 -seed 1 | gzip -9n > table.csv.gz
//
// Left out are amounts whose suffix Kubernetes does not know how to print (1000E becomes 1), and those of 10^100 and
// more.
package main

import (
	"bufio"
	"encoding/csv"
	"flag"
	"log"
	"math/big"
	"math/rand"
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

var (
	suffixes = []string{
		"", "", "", "n", "u", "m", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
	}
	wrong          = []string{"i", "K", "mi", "gi", "KiB", "kk", "e", "E+", "ee3", "k3", "Ki-1", "e1.5", " m", "x", "µ", "-", "-3"}
	alphabet       = []rune("0123456789..++--eEinumkKMGTPi x")
	tooLarge       = new(big.Int).Exp(big.NewInt(10), big.NewInt(21+9), nil)
	tooLargeForAll = new(big.Int).Exp(big.NewInt(10), big.NewInt(100+9), nil)
)

func digits(random *rand.Rand, most int) string {
	count := random.Intn(most + 1)
	if random.Intn(3) > 0 && count > 4 {
		count = 1 + random.Intn(4)
	}
	text := make([]byte, count)
	for i := range text {
		text[i] = byte('0' + random.Intn(10))
		if random.Intn(3) == 0 {
			text[i] = '0'
		}
	}
	return string(text)
}

func suffix(random *rand.Rand) string {
	switch kind := random.Intn(20); {
	case kind == 0:
		return wrong[random.Intn(len(wrong))]
	case kind < 5:
		mark := []string{"e", "E"}[random.Intn(2)]
		sign := []string{"", "+", "-"}[random.Intn(3)]
		return mark + sign + strconv.Itoa(random.Intn(31))
	default:
		return suffixes[random.Intn(len(suffixes))]
	}
}

func text(random *rand.Rand) string {
	if random.Intn(25) == 0 {
		garbage := make([]rune, random.Intn(7))
		for i := range garbage {
			garbage[i] = alphabet[random.Intn(len(alphabet))]
		}
		return string(garbage)
	}
	number := []string{"", "", "", "", "+", "-"}[random.Intn(6)] + digits(random, 21)
	if random.Intn(3) == 0 {
		number += "." + digits(random, 14)
	}
	return []string{"", "", "", "", "", " ", "\t"}[random.Intn(7)] + number + suffix(random) + []string{"", "", "", " "}[random.Intn(4)]
}

// nano is the amount in nano units.
func nano(quantity resource.Quantity) *big.Int {
	decimal := quantity.AsDec()
	shift := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(9-decimal.Scale())), nil)
	return shift.Mul(shift, decimal.UnscaledBig())
}

// printable says whether Kubernetes can print an amount, and this project takes it.
func printable(quantity resource.Quantity) bool {
	limit := tooLarge
	if quantity.Format == resource.DecimalExponent {
		limit = tooLargeForAll
	}
	return nano(quantity.DeepCopy()).CmpAbs(limit) < 0
}

func canonical(quantity resource.Quantity) string {
	number, suffix := quantity.CanonicalizeBytes(nil)
	return string(number) + string(suffix)
}

func main() {
	count := flag.Int("n", 20000, "how many quantities")
	seed := flag.Int64("seed", 1, "of the random numbers")
	flag.Parse()
	random := rand.New(rand.NewSource(*seed))
	buffer := bufio.NewWriter(os.Stdout)
	table := csv.NewWriter(buffer)
	var last resource.Quantity
	for rows := 0; rows < *count; {
		row := []string{text(random), "", "", "", ""}
		var quantity resource.Quantity
		if err := quantity.UnmarshalJSON([]byte(`"` + row[0] + `"`)); err == nil {
			sum := last.DeepCopy()
			sum.Add(quantity)
			if !printable(quantity) || !printable(sum) {
				continue
			}
			row = []string{row[0], canonical(quantity), string(quantity.Format), nano(quantity.DeepCopy()).String(), canonical(sum)}
			last = quantity
		}
		if err := table.Write(row); err != nil {
			log.Fatal(err)
		}
		rows++
	}
	table.Flush()
	if err := buffer.Flush(); err != nil {
		log.Fatal(err)
	}
}
