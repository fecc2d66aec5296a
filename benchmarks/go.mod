module github.com/rollmill/rollmill/benchmarks

go 1.26.0

replace github.com/rollmill/rollmill => ../

require (
	github.com/go-json-experiment/json v1.27.2
	github.com/klauspost/compress v1.20.4
	github.com/sourcegraph/conc v0.3.0
)

require golang.org/x/text v0.44.0 // indirect

require (
	github.com/goccy/go-json v0.12.0
	github.com/rollmill/rollmill v0.0.0
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
)
