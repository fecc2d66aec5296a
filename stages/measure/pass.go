package measure

import "github.com/rollmill/rollmill/stats"

// PassOptions say how [Figures.PassAt] computes.
type PassOptions struct {
	stats.PassOptions
	Attempts Attempts // how repeats of a task came about; default: Detect
}

// PassInput is what [stats.PassAt] reads of the rows.
func (f *Figures) PassInput() stats.PassInput {
	c := f.counts
	return stats.PassInput{Tasks: f.Tasks(), Graded: c.graded, Partial: c.worth[partial], Judging: c.judging.result()}
}

// PassAt measures pass@1, pass^k and pass@k, at each k (none: at the one that
// the groups suggest). Over sequential attempts pass@k and pass^k are absent,
// with a finding that says so: a task that was solved stays solved, so attempts
// are no independent samples.
func (f *Figures) PassAt(o PassOptions, ks ...int) ([]*stats.PassReport, error) {
	return f.passAt(stats.RunConfig{}, o, ks)
}

// PassAt is that of all rows, with their configuration.
func (r *Result) PassAt(o PassOptions, ks ...int) ([]*stats.PassReport, error) {
	return r.passAt(r.Config, o, ks)
}

func (f *Figures) passAt(config stats.RunConfig, o PassOptions, ks []int) ([]*stats.PassReport, error) {
	in := f.PassInput()
	in.Config = config
	sequential, numbers := f.sequential(o.Attempts)
	if len(ks) == 0 {
		ks = []int{o.K}
	}
	var reports []*stats.PassReport
	for _, k := range ks {
		o.K = k
		r, err := stats.PassAt(in, o.PassOptions)
		if err != nil {
			return nil, err
		}
		r.Config.Tasks, r.Config.K = r.Groups, r.K
		if sequential && r.K > 1 {
			withhold(r, numbers)
		}
		reports = append(reports, r)
	}
	return reports, nil
}
