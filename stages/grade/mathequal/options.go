package mathequal

// Mode says whose reading of an answer is followed.
type Mode uint8

const (
	// MathVerify agrees with the Math-Verify library, quirks included (spec of
	// rows, sections 3.5 and 10.14).
	MathVerify Mode = iota

	// Strict is for training rewards. It leaves the quirks out: 50% is 0.5 and
	// not 50, a minus is a minus however it is encoded, the last box alone is the
	// answer, a solution set equals its relation whichever of the two is the
	// reference, ± may stand inside an expression, fractional powers are joined,
	// 2.5e3 is 2500, words that name another number are no unit, and a short reply
	// that is a formula from end to end is read whole.
	Strict
)

// String returns the name of the mode as options and reports spell it.
func (m Mode) String() string {
	if m == Strict {
		return "strict"
	}
	return "math-verify"
}

// Options choose how replies and references are read. The zero value is ready for use.
type Options struct {
	// Mode is whose reading is followed; MathVerify by default.
	Mode Mode

	// KeepThinking also looks for the answer between <think> and </think>. By
	// default all up to the last </think> is left out, and so is a block that is
	// never closed: a box drawn while thinking is not an answer.
	KeepThinking bool

	// Budget bounds the work of one comparison, counted in machine words of
	// arithmetic and in nodes visited; DefaultBudget where it is not positive.
	Budget int
}

// DefaultBudget is the work that one comparison may cost: some tens of
// milliseconds at the very worst, for answers made to be slow.
const DefaultBudget = 1_000_000

// Bounds on what is read at all. Answers over them are refused with ErrBudget
// unless their texts are equal.
const (
	maxLength   = 4096   // bytes of an answer
	maxDepth    = 100    // nesting of an expression
	maxNodes    = 4096   // nodes of one expression
	maxExponent = 10_000 // size of an integer exponent, and of a factorial
	maxBits     = 1 << 17
)
