package stats

import "strconv"

// Codes of the findings of a [PassReport].
const (
	CodeDegenerateReward Code = "degenerate_reward"  // every graded row has the same value
	CodeNothingGraded    Code = "nothing_graded"     // no row has a verdict of 0 or 1
	CodeJudgeFailed      Code = "judge_failed"       // every judged row failed to be judged
	CodeBelowMinK        Code = "below_min_k"        // k is too small for the k-way numbers
	CodeUnevenBelowMinK  Code = "uneven_below_min_k" // and only since some groups are short
	CodeNoGroupHasK      Code = "no_group_has_k"     // every group is shorter than k
	CodeUneven           Code = "uneven"             // groups differ, k is the smallest
	CodePartialRewards   Code = "partial_rewards"    // numbers between 0 and 1 were left out
	CodeNoInterval       Code = "no_interval"        // too few tasks for an interval
	CodeUnscored         Code = "unscored"           // rollouts without a verdict
)

// DefaultMinK is the smallest k for which pass@k and pass^k are told, unless
// another is asked for: the rollouts a task of tau-bench (arXiv:2406.12045) and
// tau2-bench (arXiv:2506.07982).
const DefaultMinK = 4

// PassInput is what [PassAt] reads of the rows.
type PassInput struct {
	Tasks   []Task    // in first-seen order
	Graded  Graded    // rows with any finite number as reward
	Partial int       // rows with a number as reward, but no verdict of 0 or 1
	Judging Judging   // rows with a judge status
	Config  RunConfig // printed and written beside the figures
}

// Graded tells whether the rewards of all rows vary: any finite number counts,
// also those that are in no pass rate.
type Graded struct {
	Rows   int
	Varies bool
	Value  float64 // the one value, when they do not vary
}

// Judging tells how the rows with a judge status fared.
type Judging struct {
	Rows     int      // rows with a status
	OK       int      // rows whose status is ok
	Statuses []string // the others, distinct, in first-seen order
	Reason   string   // the first reason given
}

// PassOptions say what [PassAt] computes. The zero value is the default of the
// reference.
type PassOptions struct {
	K    int // 0: the smallest size among groups of two or more, else 1
	MinK int // default 4: below it pass@k and pass^k are not told
	// UnanimousShort imputes groups shorter than K whose verdicts are all
	// equal, as left by a sampler that stops early.
	UnanimousShort bool
	Bootstrap      BootstrapOptions
}

// PassReport holds pass@1, pass^k and pass@k over tasks with their intervals:
// pass@k after Chen et al. 2021 (arXiv:2107.03374), pass^k after Yao et al. 2024
// (tau-bench, arXiv:2406.12045), intervals over tasks after Miller 2024
// (arXiv:2411.00640). pass@k is inflated by a judge's false positives, pass^k
// depressed by its false negatives.
type PassReport struct {
	K            int            `json:"k"`
	PassAt1      Null[float64]  `json:"pass_at_1"`  // mean over all tasks, whatever their size
	PassPowK     Null[float64]  `json:"pass_pow_k"` // mean over tasks of K rollouts or more
	PassAtK      Null[float64]  `json:"pass_at_k"`
	Headroom     Null[float64]  `json:"headroom"` // PassAtK - PassAt1; may be negative
	Groups       int            `json:"n_groups"`
	GroupsAtK    int            `json:"n_groups_at_k"` // behind the k-way numbers
	Imputed      int            `json:"n_groups_imputed"`
	Rows         int            `json:"n_rows"`
	Partial      int            `json:"n_partial"`
	Note         string         `json:"note"`
	CI95         Null[Interval] `json:"ci95"`
	PassPowKCI95 Null[Interval] `json:"pass_pow_k_ci95"`
	PassAtKCI95  Null[Interval] `json:"pass_at_k_ci95"`
	Config       RunConfig      `json:"config"`
	Coverage     Coverage       `json:"coverage"`
	Resampling   Resampling     `json:"resampling"`
	Findings     []Finding      `json:"findings"`
	PerTask      []TaskMean     `json:"-"` // pass rates in first-seen order
}

// PassAt measures pass@1, pass^k and pass@k. Groups of fewer than k rollouts
// are in pass@1 only; see [PassReport].
func PassAt(in PassInput, o PassOptions) (*PassReport, error) {
	if o.K < 0 {
		return nil, &ArgumentError{Name: "K", Got: o.K, Want: "1 or more, or 0 to take it from the groups"}
	}
	if o.MinK == 0 {
		o.MinK = DefaultMinK
	}
	o.Bootstrap = o.Bootstrap.withDefaults()
	r := &PassReport{K: o.K, Partial: in.Partial, Config: in.Config, Coverage: CoverageOf(in.Tasks)}
	rates := make([]float64, 0, r.Coverage.TasksScored)
	r.PerTask = make([]TaskMean, 0, r.Coverage.TasksScored)
	for _, t := range in.Tasks {
		if t.N > 0 {
			rates = append(rates, t.Rate())
			r.PerTask = append(r.PerTask, TaskMean{Key: t.Key, Mean: t.Rate(), N: t.N})
		}
	}
	r.Groups, r.Rows = len(rates), r.Coverage.Scored
	r.Resampling = o.Bootstrap.resampling(len(rates))
	sizes := groupSizes(in.Tasks)
	if r.K == 0 {
		r.K = sizes.inferredK()
	}
	if in.Graded.Rows >= 2 && !in.Graded.Varies {
		r.add(degenerateReward(in.Graded))
	}
	if len(rates) == 0 {
		r.add(nothingGraded(in.Judging))
	} else {
		r.PassAt1 = Of(Mean(rates))
		r.CI95 = BootstrapMean(rates, o.Bootstrap)
		if lost := r.Coverage.tasksInvalid; lost > 0 && in.Partial > 0 {
			r.add(partialRewards(in.Partial, lost))
		}
		r.kWay(in.Tasks, sizes, o)
		if !r.CI95.Valid {
			r.add(noInterval(len(rates)))
		}
	}
	r.Note = joinTexts(r.Findings)
	if !r.Coverage.Complete() {
		r.add(unscored(r.Coverage))
	}
	if r.Findings == nil {
		r.Findings = []Finding{}
	}
	return r, nil
}

func (r *PassReport) add(f Finding) { r.Findings = append(r.Findings, f) }

// kWay computes the numbers that need k rollouts a group, or says why not.
func (r *PassReport) kWay(tasks []Task, sizes sizes, o PassOptions) {
	if r.K < max(1, o.MinK) {
		r.add(belowMinK(r.K, o.MinK, sizes, o.K == 0))
		return
	}
	type group struct{ n, c int }
	type pair struct{ pow, at float64 }
	known := map[group]pair{} // few groups differ in both numbers
	pow := make([]float64, 0, len(tasks))
	at := make([]float64, 0, len(tasks))
	for _, t := range tasks {
		if t.N < r.K {
			continue
		}
		p, ok := known[group{t.N, t.Passes}]
		if !ok {
			p = pair{PassPowK(t.N, t.Passes, r.K).V, PassAtK(t.N, t.Passes, r.K).V}
			known[group{t.N, t.Passes}] = p
		}
		pow, at = append(pow, p.pow), append(at, p.at)
	}
	if o.UnanimousShort {
		for _, t := range tasks {
			if t.N > 0 && t.N < r.K && (t.Passes == 0 || t.Passes == t.N) {
				v := float64(t.Passes / t.N)
				pow, at = append(pow, v), append(at, v)
				r.Imputed++
			}
		}
	}
	if len(pow) == 0 {
		r.add(noGroupHasK(r.K, sizes))
		return
	}
	r.GroupsAtK = len(pow)
	r.PassPowK, r.PassAtK = Of(Mean(pow)), Of(Mean(at))
	r.Headroom = Of(r.PassAtK.V - r.PassAt1.V)
	r.PassPowKCI95 = BootstrapMean(pow, o.Bootstrap)
	r.PassAtKCI95 = BootstrapMean(at, o.Bootstrap)
	if o.K == 0 && sizes.uneven() {
		r.add(unevenGroups(r.K, sizes))
	}
}

// String prints the figures in one line.
func (r *PassReport) String() string {
	figure := func(name string, v Null[float64], iv Null[Interval]) string {
		s := name + " " + fixed(v, 2)
		if iv.Valid {
			s += " [" + band(iv, 2, fixed) + "]"
		}
		return s + " | "
	}
	k := strconv.Itoa(r.K)
	s := figure("pass@1", r.PassAt1, r.CI95) +
		figure("pass^"+k+" (pass_pow_k)", r.PassPowK, r.PassPowKCI95) +
		figure("pass@"+k, r.PassAtK, r.PassAtKCI95) +
		"headroom " + fixed(r.Headroom, 2) +
		" (" + strconv.Itoa(r.Groups) + " groups, k=" + k
	if cut := rounded(r.Config.TruncatedShare(), 4); cut.Or(0) > 0 {
		s += "; " + percent(cut.V, 1) + " cut by the token cap"
	}
	if answered := rounded(r.Config.AnsweredShare(), 4); answered.Or(1) < 1 {
		s += "; " + percent(1-answered.V, 1) + " without a spoken reply"
	}
	if !r.Coverage.Complete() {
		s += "; " + r.Coverage.String()
	}
	if r.Note != "" {
		s += "; " + r.Note
	}
	return s + ")"
}
