package stats

// Side is one side of a [Delta]: what was measured before, or after, a change.
type Side struct {
	Metrics   []Metric  // pass_at_1 and the markers
	Config    RunConfig // what the rows of the side agree on
	EvalRuns  []Part    // the rows by eval run, those without one left out; nil when there is none
	TrainRuns []Part    // the rows of each training seed; nil for an arm that was not trained
	Slices    []Slicing // the rows by each field that may slice them
}

// Slicing is the rows of a side by the values of a field.
type Slicing struct {
	Field string
	Parts []Part
}

// DeltaOptions are the arguments of [Delta]. Names of markers may come without
// their "marker:"; zero values are the defaults of the reference.
type DeltaOptions struct {
	Target         string          // the metric that the change was for; "" is pass_at_1 without a claim
	MustNotRegress []string        // metrics that fail the report when they get worse
	LowerIsBetter  map[string]bool // overrides the built-in directions
	Markers        []string        // markers to compare, in order; nil: those of both sides, sorted
	Proxy          string          // what was optimised in place of the target

	By      string // field to slice by; "": the first of category and slice that fits
	NoSlice bool   // no slices

	RunStd         Null[float64]            // re-run standard deviation of every metric, when known
	RunStdByMetric map[string]Null[float64] // or of each
	RunStdRuns     int                      // runs it was measured on; 0 when unknown

	Draws  int    // default 2000
	Seed   int64  // default 0; metric i uses Seed+i
	Method Method // default Auto

	Alpha         float64 // default 0.05; the level of every interval is 1-Alpha
	Power         float64 // default 0.8
	Ceiling       float64 // default 0.9
	AnsweredGap   float64 // default 0.10
	AnsweredAlpha float64 // default 0.01

	Balanced *Balance // told in the report when rollouts were balanced before
}

const (
	defaultAnsweredGap   = 0.10
	defaultAnsweredAlpha = 0.01
)

func (o *DeltaOptions) check() error {
	set := func(x *float64, def float64) {
		if *x == 0 {
			*x = def
		}
	}
	set(&o.Alpha, DefaultAlpha)
	set(&o.Power, DefaultPower)
	set(&o.Ceiling, DefaultCeiling)
	set(&o.AnsweredGap, defaultAnsweredGap)
	set(&o.AnsweredAlpha, defaultAnsweredAlpha)
	if err := openUnit("Alpha", o.Alpha); err != nil {
		return err
	}
	if err := openUnit("Power", o.Power); err != nil {
		return err
	}
	given := o.RunStd.Valid || o.RunStdByMetric != nil
	switch {
	case o.RunStdRuns != 0 && !given:
		return &ArgumentError{Name: "RunStdRuns", Got: o.RunStdRuns, Want: "RunStd as well"}
	case given && o.RunStdRuns != 0 && o.RunStdRuns < 2:
		return &ArgumentError{Name: "RunStdRuns", Got: o.RunStdRuns, Want: "2 or more"}
	}
	return nil
}

// Word is a verdict in a delta report.
type Word string

const (
	Moved             Word = "moved"
	MovedWrongWay     Word = "moved_the_wrong_way"
	MovedUnreplicated Word = "moved_unreplicated" // moved, with nothing to tell re-run noise by
	NoChange          Word = "no_change_detected"
	WithinEvalNoise   Word = "within_eval_noise" // moved, but no further than re-runs do
	NoData            Word = "insufficient_data"
	Unresolved        Word = "unresolved" // one training seed an arm
	TargetNotMeasured Word = "target_not_measured"
	ProxyNotMeasured  Word = "proxy_not_measured"
	ProxyIsTarget     Word = "proxy_is_target"
)

// DeltaReport is the verdict on a change: whether the target moved beyond what
// re-runs and training seeds do by themselves, whether anything guarded got
// worse, and whether the two sides can be compared at all (Miller 2024,
// arXiv:2411.00640; re-run noise after Lambert 2025, arXiv:2504.12501;
// over-optimisation of a proxy after Gao et al. 2022, arXiv:2210.10760).
type DeltaReport struct {
	OK              bool           `json:"ok"`
	HeadlineWord    string         `json:"headline_word"`
	HeadlineVerdict Word           `json:"headline_verdict"`
	NotComparable   []string       `json:"not_comparable"`
	Target          Null[string]   `json:"target"`
	TargetVerdict   Null[Word]     `json:"target_verdict"`
	TargetDelta     Null[float64]  `json:"target_delta"`
	TargetCI95      Null[Interval] `json:"target_ci95"`

	NMetrics      int      `json:"n_metrics"`
	Alpha         float64  `json:"alpha"`
	Level         float64  `json:"level"`
	PairedTasks   int      `json:"n_paired_tasks"` // of pass_at_1
	UnpairedTasks int      `json:"n_unpaired_tasks"`
	Improved      []string `json:"improved"`
	Regressions   []string `json:"regressions"` // guarded metrics that got worse
	Slipped       []string `json:"slipped"`     // others that did
	InNoise       []string `json:"within_noise"`
	DeadGuards    []string `json:"degenerate_guards"` // guarded metrics that never vary
	LowerIsBetter []string `json:"lower_is_better"`

	RunStd         Null[float64] `json:"run_std"` // of the headline metric
	RunStdByMetric Quantities    `json:"run_std_by_metric"`
	RunStdSource   Null[string]  `json:"run_std_source"` // given or eval_run
	RunStdDF       Null[int]     `json:"run_std_df"`
	NoiseBand      Null[float64] `json:"noise_band"`
	NoiseRule      string        `json:"noise_rule"`
	EvalRuns       SideCounts    `json:"eval_runs"`
	Replicated     bool          `json:"replicated"`

	Train TrainSeeds `json:"-"` // written as train_std, train_df, train_delta, train_ci95, train_rule

	Ceiling           bool          `json:"ceiling"`
	DetectableEffect  Null[float64] `json:"detectable_effect"` // rounded to 4 digits
	TasksNeeded       Null[int]     `json:"tasks_needed"`
	TasksNeededSource Null[Source]  `json:"tasks_needed_source"`

	Proxy         Null[string]  `json:"proxy"`
	ProxyVerdict  Null[Word]    `json:"proxy_verdict"`
	OverOptimized bool          `json:"over_optimized"`
	FamilyError   float64       `json:"family_error"` // rounded to 4 digits
	By            Null[string]  `json:"by"`
	BySource      Null[string]  `json:"by_source"` // auto or given
	Groups        []GroupDelta  `json:"groups"`
	GroupsDown    []string      `json:"groups_down"`
	GroupsWeak    []string      `json:"groups_weak"`
	SliceMinTasks int           `json:"slice_min_tasks"`
	Repeats       Repeats       `json:"repeats"`
	Balanced      *Balance      `json:"balanced"`
	Config        ConfigPair    `json:"config"`
	GradedBound   Null[float64] `json:"graded_bound"` // how far ungraded rows could move the delta
	Metrics       MetricDeltas  `json:"metrics"`
	Warnings      []string      `json:"warnings"`
	Findings      []Finding     `json:"findings"`
}

// SideCounts is a count for each side.
type SideCounts struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// ConfigPair is the configuration of each side.
type ConfigPair struct {
	Before RunConfig `json:"before"`
	After  RunConfig `json:"after"`
}

// Delta compares two sides. It fails when an option is out of range, when a
// direction is given for a metric that is not measured on both sides, and when
// the training seeds of an arm are an empty list.
func Delta(before, after Side, o DeltaOptions) (*DeltaReport, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	d := &delta{before: before, after: after, o: o, level: 1 - o.Alpha}
	d.r = &DeltaReport{
		Alpha: o.Alpha, Level: d.level, Config: ConfigPair{before.Config, after.Config}, Balanced: o.Balanced,
		EvalRuns:      SideCounts{max(len(before.EvalRuns), len(before.TrainRuns)), max(len(after.EvalRuns), len(after.TrainRuns))},
		NotComparable: []string{}, Findings: []Finding{}, Groups: []GroupDelta{}, GroupsDown: []string{}, GroupsWeak: []string{},
	}
	if err := d.compareMetrics(); err != nil {
		return nil, err
	}
	if err := d.judgeTarget(); err != nil {
		return nil, err
	}
	d.judgeProxy()
	d.slice()
	d.repeat()
	if err := d.size(); err != nil {
		return nil, err
	}
	d.r.OK = len(d.r.Regressions) == 0 && d.gate != MovedWrongWay && !d.r.OverOptimized
	d.warn()
	d.r.HeadlineWord = d.headlineWord()
	d.r.Warnings = []string{}
	for _, f := range d.r.Findings {
		d.r.Warnings = append(d.r.Warnings, f.Text)
	}
	return d.r, nil
}

// delta is the work behind a [DeltaReport].
type delta struct {
	before, after Side
	o             DeltaOptions
	level         float64
	r             *DeltaReport
	target        string // full name, "" without one
	headline      MetricDelta
	gate          Word // the target's word, which decides; "" without a target
}

func (d *delta) compare(a, b Metric, seed int64) Comparison {
	return Compare(a, b, CompareOptions{Draws: d.o.Draws, Seed: seed, Level: d.level, Method: d.o.Method})
}

func (d *delta) add(code Code, level Level, subject string, numbers Quantities, text string) {
	d.r.Findings = append(d.r.Findings, Finding{Code: code, Level: level, Subject: subject, Numbers: numbers, Text: text})
}
