module gojq-oracle

go 1.26.8

require github.com/itchyny/gojq v0.12.18

require github.com/itchyny/timefmt-go v0.1.7 // indirect
