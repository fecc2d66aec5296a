package sandbox

import "fmt"

// Level says how far a command is kept apart from the machine; the package
// comment says what each level stops.
type Level uint8

const (
	// Weak limits what a command uses, not what it reaches.
	Weak Level = iota + 1
	// Full also takes the network, the file system and other processes away.
	Full
)

// String returns "weak" or "full".
func (l Level) String() string {
	switch l {
	case Weak:
		return "weak"
	case Full:
		return "full"
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// ParseLevel reads what String writes.
func ParseLevel(word string) (Level, error) {
	for _, l := range []Level{Weak, Full} {
		if word == l.String() {
			return l, nil
		}
	}
	return 0, fmt.Errorf("sandbox: level %q; want weak or full", word)
}
