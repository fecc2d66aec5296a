package measure

import "github.com/rollmill/rollmill/stats"

// rate counts the verdicts of one task: 32 bytes.
type rate struct {
	first             position // of the first verdict, else of the first row
	passes, n         uint32   // rows with a verdict
	unscored, invalid uint32   // rows without
}

func (r *rate) seen() bool { return r.n+r.unscored+r.invalid > 0 }

func (r *rate) verdict(l stats.Label, at position) {
	if r.n == 0 {
		r.first = at
	}
	r.first = earlier(r.first, at)
	r.n++
	r.passes += uint32(l)
}

func (r *rate) none(w worth, at position) {
	if !r.seen() {
		r.first = at
	}
	if r.n == 0 {
		r.first = earlier(r.first, at)
	}
	if w == missing {
		r.unscored++
	} else {
		r.invalid++
	}
}

// add adds what another rate of the same task counted.
func (r *rate) add(o *rate) {
	switch {
	case !o.seen():
		return
	case !r.seen() || r.n == 0 && o.n > 0:
		r.first = o.first
	case (r.n > 0) == (o.n > 0):
		r.first = earlier(r.first, o.first)
	}
	r.passes += o.passes
	r.n += o.n
	r.unscored += o.unscored
	r.invalid += o.invalid
}

// attempt is the order of a task's verdicts: 8 bytes. The numbers are those of
// rollout_index plus 1; 0 is none.
type attempt struct{ firstPass, lastFail uint32 }

func (a *attempt) verdict(l stats.Label, index uint32) {
	if l == stats.Fail {
		a.lastFail = max(a.lastFail, index+1)
	} else if a.firstPass == 0 || index+1 < a.firstPass {
		a.firstPass = index + 1
	}
}

func (a *attempt) add(o attempt) {
	a.lastFail = max(a.lastFail, o.lastFail)
	if o.firstPass > 0 && (a.firstPass == 0 || o.firstPass < a.firstPass) {
		a.firstPass = o.firstPass
	}
}

// failsFirst reports whether every failure came before every pass.
func (a attempt) failsFirst() bool { return a.lastFail < a.firstPass }
