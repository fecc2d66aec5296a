package grid

// Tier is how hard a situation is, by the stance of the person.
type Tier uint8

// The tiers, from easy to hard.
const (
	Ordinary Tier = iota
	Ambiguous
	Boundary
	Adversarial
	tierCount
)

// String returns the tier's name.
func (t Tier) String() string {
	return [...]string{"ordinary", "ambiguous", "boundary", "adversarial"}[t]
}

var tierOfStance = map[string]Tier{
	"ordinary": Ordinary, "hurried": Ordinary, "retry": Ordinary, "mistaken": Ordinary, "exploratory": Ordinary,
	"vague": Ambiguous, "underspecified": Ambiguous, "ambiguous": Ambiguous, "unsure": Ambiguous,
	"boundary": Boundary, "policy-push": Boundary, "conflicting": Boundary,
	"adversarial": Adversarial, "malicious": Adversarial, "forbidden": Adversarial,
}

// TierOf returns the tier of a stance; one that is not known is Ordinary (spec
// of simulation, section 7.1).
func TierOf(stance string) Tier { return tierOfStance[stance] }

func knownStance(stance string) bool {
	_, ok := tierOfStance[stance]
	return ok
}
