package stats

import "slices"

// Kinds of gold labels.
const (
	KindHuman   = "human"
	KindProgram = "program" // a verifier that computes the answer
	KindModel   = "model"
	KindUnknown = "unknown"
	KindMixed   = "mixed"
)

// NormalKind is the kind as counted: "verifier" is a program, nothing is
// unknown.
func NormalKind(kind string) string {
	switch kind {
	case "":
		return KindUnknown
	case "verifier":
		return KindProgram
	}
	return kind
}

// GoldKind is the kind of a set of gold labels: the one kind of all; of several
// the one that is not to be trusted, if exactly one is; else mixed. Absent for
// none.
func GoldKind(kinds []string) Null[string] {
	var distinct, untrusted []string
	for _, k := range kinds {
		k = NormalKind(k)
		if slices.Contains(distinct, k) {
			continue
		}
		distinct = append(distinct, k)
		if !TrustedKind(k) {
			untrusted = append(untrusted, k)
		}
	}
	switch {
	case len(distinct) == 0:
		return Null[string]{}
	case len(distinct) == 1:
		return Of(distinct[0])
	case len(untrusted) == 1:
		return Of(untrusted[0])
	}
	return Of(KindMixed)
}

// TrustedKind reports whether labels of the kind can judge a judge: those of
// people and of programs.
func TrustedKind(kind string) bool {
	kind = NormalKind(kind)
	return kind == KindHuman || kind == KindProgram
}
