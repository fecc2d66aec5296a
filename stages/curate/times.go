package curate

import (
	"os"
	"runtime"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/stats"
	"github.com/rollmill/rollmill/stream"
)

// passTimes is how long a pass took.
type passTimes struct {
	Pass    string       `json:"pass"`
	Seconds float64      `json:"seconds"`
	Stages  []stageTimes `json:"stages,omitempty"`
}

// stageTimes is how long the workers of a stage worked, and on how many rows.
type stageTimes struct {
	Stage   string  `json:"stage"`
	Items   int64   `json:"items"`
	Workers int     `json:"workers"`
	Busy    float64 `json:"busy_seconds"`
	Share   float64 `json:"share"` // of the time that all stages of the pass worked
}

func timesOf(pass string, counts *stream.Stats) passTimes {
	t := passTimes{Pass: pass, Seconds: seconds(counts.Elapsed)}
	var all time.Duration
	for _, s := range counts.Stages {
		all += s.Busy
	}
	for _, s := range counts.Stages {
		one := stageTimes{Stage: s.Name, Items: max(s.ItemsIn, s.ItemsOut), Workers: s.Workers, Busy: seconds(s.Busy)}
		if all > 0 {
			one.Share = stats.Round(s.Busy.Seconds()/all.Seconds(), 4)
		}
		t.Stages = append(t.Stages, one)
	}
	return t
}

// runFacts are what depends on the machine and the day.
type runFacts struct {
	Started string      `json:"started,omitempty"`
	Seconds float64     `json:"seconds,omitzero"`
	Rows    float64     `json:"rows_a_second,omitzero"`
	Before  int64       `json:"rows_read_before,omitzero"` // by a run that was cut off
	Workers int         `json:"workers"`
	CPUs    int         `json:"cpus"`
	Host    string      `json:"host"`
	System  string      `json:"system"`
	Go      string      `json:"go"`
	Out     string      `json:"out"`
	Passes  []passTimes `json:"passes"`
}

func (l *line) facts() *runFacts {
	host, _ := os.Hostname() // "" where there is none
	f := &runFacts{
		Before: l.continued, Workers: l.Workers, CPUs: runtime.NumCPU(),
		Host: host, System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Out: l.Out, Passes: l.passes,
	}
	if l.Now != nil {
		took := l.now().Sub(l.start)
		f.Started, f.Seconds = l.start.UTC().Format(time.RFC3339), seconds(took)
		f.Rows = stats.Round(float64(l.result.Counts.Rows)/max(took.Seconds(), 1e-3), 0)
	}
	return f
}

func (f *runFacts) write(path string) error {
	text, err := json.Marshal(f, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return writeFile(path, append(text, '\n'))
}
