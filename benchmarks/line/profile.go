package line

import (
	"bytes"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/rollmill/rollmill/stream"
)

// Cost is what one stage of one pass took of all cores.
type Cost struct {
	Pass, Stage string
	Seconds     float64
}

// costsOf reads a CPU profile whose samples say for which stage they worked, in
// the order in which the stages are met, those without a stage last.
func costsOf(data []byte) ([]Cost, error) {
	p, err := profile.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var list []Cost
	place := map[[2]string]int{}
	for _, s := range p.Sample {
		key := [2]string{label(s, "pass"), stageOf(s)}
		i, known := place[key]
		if !known {
			i = len(list)
			place[key] = i
			list = append(list, Cost{Pass: key[0], Stage: key[1]})
		}
		list[i].Seconds += float64(s.Value[1]) / 1e9
	}
	return list, nil
}

func label(s *profile.Sample, key string) string {
	if v := s.Label[key]; len(v) > 0 {
		return v[0]
	}
	return ""
}

const stages = "github.com/rollmill/rollmill/stages/"

// parts are what is told apart within a stage, by the packages that do the work.
var parts = []struct{ name, in string }{
	{"hand features", "hackscan.(*pageReader).features"},
	{"hand features", "hackscan.(*view).read"},
	{"scan", "hackscan."},
	{"selection", "selection."},
	{"measure", "measure."},
}

// stageOf is the stage of a sample, and what it did in it where stages do several
// things. The collector works for all.
func stageOf(s *profile.Sample) string {
	stage := label(s, stream.StageLabel)
	if stage == "" && has(s, "runtime.gcBgMarkWorker") {
		return "garbage collector"
	}
	for _, p := range parts {
		if has(s, p.in) {
			if stage == "" || stage == p.name {
				return p.name
			}
			return stage + ": " + p.name
		}
	}
	return stage
}

func has(s *profile.Sample, function string) bool {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if strings.HasPrefix(strings.TrimPrefix(line.Function.Name, stages), function) {
				return true
			}
		}
	}
	return false
}
