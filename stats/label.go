package stats

// Label is a verdict that may be missing.
type Label int8

const (
	NoLabel Label = iota - 1 // nothing, or not a label
	Fail                     // 0
	Pass                     // 1
)

// MajorityLabel is the label that more than half of the labels give; NoLabel on
// a tie and for none. NoLabel among them is not counted.
func MajorityLabel(labels []Label) Label {
	votes := 0
	for _, l := range labels {
		switch l {
		case Pass:
			votes++
		case Fail:
			votes--
		}
	}
	switch {
	case votes > 0:
		return Pass
	case votes < 0:
		return Fail
	}
	return NoLabel
}
