package report

// Report is all that a run has to tell.
type Report struct {
	Title    string    `json:"title"`
	Lead     string    `json:"lead,omitzero"` // the result in one sentence
	Sections []Section `json:"sections"`
	// Foot is what depends on the machine and the day. It stands at the end of
	// the page, and nowhere else: JSON leaves it out.
	Foot []string `json:"-"`
}

// Section is a part of a report under a heading.
type Section struct {
	ID    string   `json:"id"` // a word, unique within the report
	Title string   `json:"title"`
	Notes []string `json:"notes,omitzero"` // sentences under the heading
	Items []Item   `json:"items,omitzero"`
}

// Item is a Table, Figures, Funnel, Histogram, Excerpts or Findings.
type Item interface{ kind() string }

// Figure is a number with its name, such as a pass rate.
type Figure struct {
	Name   string `json:"name"`
	Value  string `json:"value"`           // as a person reads it
	Number any    `json:"number,omitzero"` // as a program reads it
	Detail string `json:"detail,omitzero"` // interval, n, coverage
}

// Figures is a list of numbers.
type Figures []Figure

func (Figures) kind() string { return "figures" }

// Table is rows of cells under headings. Rows have as many cells as there are
// columns.
type Table struct {
	Title   string   `json:"title,omitzero"`
	Columns []Column `json:"columns"`
	Rows    [][]Cell `json:"rows"`
}

func (Table) kind() string { return "table" }

// Column is a heading of a table.
type Column struct {
	Name   string `json:"name"`
	Number bool   `json:"number,omitzero"` // its cells are set to the right
}

// Cell is a value of a table.
type Cell struct {
	Text   string `json:"text"`
	Number any    `json:"number,omitzero"` // as a program reads it
}

// Funnel is what is left after each step, and what each took away.
type Funnel []Step

func (Funnel) kind() string { return "funnel" }

// Step is a step of a funnel. Out steps take rows away; the others count what
// is there.
type Step struct {
	Label  string `json:"label"`
	Count  int64  `json:"count"`
	Out    bool   `json:"out,omitzero"`
	Reason string `json:"reason,omitzero"`
}

// Histogram counts how often values lie between edges.
type Histogram struct {
	Title string `json:"title,omitzero"`
	Unit  string `json:"unit,omitzero"` // what is counted, as "tasks"
	Bars  []Bar  `json:"bars"`
}

func (Histogram) kind() string { return "histogram" }

// Bar is a bar of a histogram.
type Bar struct {
	Label string `json:"label"`
	Count int64  `json:"count"`
	Band  bool   `json:"band,omitzero"` // it lies in the band that is kept
}

// Excerpts are pieces of data, some beside another.
type Excerpts struct {
	Title string    `json:"title,omitzero"`
	List  []Excerpt `json:"list"`
}

func (Excerpts) kind() string { return "excerpts" }

// Excerpt is a piece of data, and what it is held against if there is one.
type Excerpt struct {
	Label   string `json:"label"`
	Left    string `json:"left"`
	Right   string `json:"right,omitzero"`
	Caption string `json:"caption,omitzero"`
}

// Findings are sentences that call for attention.
type Findings []Finding

func (Findings) kind() string { return "findings" }

// Finding is a sentence of a level.
type Finding struct {
	Level Level  `json:"level"`
	Code  string `json:"code,omitzero"` // a word for programs
	Text  string `json:"text"`
}

// Level says how much a finding matters.
type Level string

// The levels.
const (
	Note    Level = "note"
	Warning Level = "warning"
	Alarm   Level = "alarm"
)
