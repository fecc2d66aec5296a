package decontaminate

// State says whether a text can be compared, and if not, why. Each text is in
// one state, so that their counts add up.
type State uint8

const (
	Usable    State = iota // it has words enough for the shortest n-grams
	Malformed              // the record cannot be read, or the member is no text
	Missing                // there is no such member
	Null                   // the member is null
	Empty                  // it has no words: nothing, blanks, punctuation
	TooShort               // it has words, fewer than an n-gram: it is compared as a whole
)

// States counts texts by their state.
type States struct {
	Usable    int64 `json:"usable"`
	Malformed int64 `json:"malformed"`
	Missing   int64 `json:"missing"`
	Null      int64 `json:"null"`
	Empty     int64 `json:"empty"`
	TooShort  int64 `json:"too_short"`
}

// Add counts one text.
func (s *States) Add(state State) {
	switch state {
	case Malformed:
		s.Malformed++
	case Missing:
		s.Missing++
	case Null:
		s.Null++
	case Empty:
		s.Empty++
	case TooShort:
		s.TooShort++
	default:
		s.Usable++
	}
}

// Merge adds other counts.
func (s *States) Merge(o States) {
	s.Usable += o.Usable
	s.Malformed += o.Malformed
	s.Missing += o.Missing
	s.Null += o.Null
	s.Empty += o.Empty
	s.TooShort += o.TooShort
}

// Total is how many texts were counted.
func (s States) Total() int64 {
	return s.Usable + s.Malformed + s.Missing + s.Null + s.Empty + s.TooShort
}
