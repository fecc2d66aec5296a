package decontaminate

import "fmt"

// Rule decides which texts of the index a text has seen. Rules are applied to
// the evidence of a scan: to try another threshold is to judge again, not to scan
// again.
type Rule interface {
	// Name is a short word for the rule: windowed, default80, any13.
	Name() string
	// N is the length of the n-grams that the rule reads. An index that has them,
	// or shorter ones, serves it.
	N() int
	// Judge appends the matches of a text to dst, at most one for a text of the
	// index.
	Judge(e *Evidence, dst []Match) []Match
}

// Match says that a text has seen a text of the index.
type Match struct {
	Rule  string
	Kind  string  // near for words in common; exact, same_task, semantic
	Text  int     // the text of the index; -1 for same_task
	Score float64 // what the rule compares with its threshold
	Words int     // words of the item that were found
	Of    int     // words that the item has

	At, Len            int // the words of the scanned text that hold the match
	Pos, ItemLen       int // the words of the item that were found, first to last
	Start, End         int // the same as byte offsets in the scanned text
	ItemStart, ItemEnd int // and in the text of the item
}

// Kinds of matches.
const (
	Near     = "near"
	Exact    = "exact"
	SameTask = "same_task"
	Semantic = "semantic"
)

// Serves says whether the index has the n-grams that a rule reads.
func (x *Index) Serves(r Rule) error {
	if x.gramsFor(r.N()) == nil {
		return fmt.Errorf("decontaminate: rule %s reads n-grams of %d words, and the index has %v", r.Name(), r.N(), x.config.N)
	}
	return nil
}
