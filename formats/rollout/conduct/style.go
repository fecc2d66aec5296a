package conduct

import (
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Styles returns the styles of which the assistant said a phrase, in the final
// text or in a message of the row that the reader was turned to.
func Styles(b *behaviour.Reader) text.StyleSet {
	found := text.StylesOf(b.FinalText())
	for said := range b.Said() {
		if said != b.FinalText() {
			found |= text.StylesOf(said)
		}
	}
	return found
}
