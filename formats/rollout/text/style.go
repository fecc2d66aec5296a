package text

import "strings"

// Style is a manner of speaking that shows in stock phrases.
type Style uint8

// The styles (spec of gates, section 1.13). The first four feed correlations.
const (
	Boilerplate Style = iota
	Hedging
	Sycophancy
	Refusal
	Apology
	styles
)

// String returns the name that features and reports use.
func (s Style) String() string {
	return [styles]string{"boilerplate", "hedging", "sycophancy", "refusal", "apology"}[s]
}

// Phrases lists the phrases of the style in lower case, in a slice of its own.
func (s Style) Phrases() []string { return strings.Split(phrases[s], " / ") }

// phrases has the phrases of each style, parted by slashes.
var phrases = [styles]string{
	Boilerplate: "certainly! / certainly, / absolutely! / of course! / great question / as an ai / as a language model / " +
		"i hope this helps / let me know if you have any other questions / let me know if there's anything else / " +
		"feel free to ask / happy to help",
	Hedging: "it depends / i'm not sure / i am not sure / may or may not / it's worth noting / it is worth noting / " +
		"it's important to note / it is important to note / keep in mind that / generally speaking / in most cases / " +
		"i can't say for certain",
	Sycophancy: "you're absolutely right / you are absolutely right / you're right / great point / excellent point / " +
		"excellent question / i completely agree / what a great / that's a great idea",
	Refusal: "i can't help with / i cannot help with / i can't assist / i cannot assist / i'm unable to / i am unable to / " +
		"i won't be able to / i'm not able to / i am not able to / i can't do that / i cannot do that",
	Apology: "i apologize / i'm sorry / i am sorry / sorry for the / apologies for",
}

// StyleSet is a set of styles.
type StyleSet uint8

// Has reports whether s holds the style.
func (s StyleSet) Has(style Style) bool { return s>>style&1 == 1 }

const allStyles = StyleSet(1<<styles - 1)

// StylesOf returns the styles of which s holds a phrase, in any case. It reads s
// once, whatever the number of phrases.
func StylesOf(s string) StyleSet {
	// Only these two have a lower case with ASCII in it; see words.go.
	if strings.Contains(s, dottedCapital) || strings.Contains(s, kelvinSign) {
		s = Lower(s)
	}
	return phraseAutomaton().scan(s)
}
