package gen

import (
	"math"
	"math/bits"
	"strings"
)

// vocabularySize is a power of two, so that a word is drawn with a mask.
const vocabularySize = 1 << 14

// commonWords stand at the head of the distribution. Words that a verifier or
// a gate reads a meaning from (answer, result, solution, verified) are not
// among them: they stand only where the generator means them.
const commonWords = `the of and to in a is it you that was for on are with as his they be at one have this
from or had by but some what there we can out other were all your when up use word how said an each she which
do their time if will way about many then them would write like so these her long make thing see him two has
look more day could go come did my sound most number who over know water than call first people may down side
been now find any new work part take get place made live where after back little only round man year came show
every good me give our under name very through just form much great think say help low line before turn cause
same mean differ move right boy old too does tell sentence set three want air well also play small end put home
read hand port large spell add even land here must big high such follow act why ask men change went light kind
off need house picture try us again animal point mother world near self earth father order refund account policy
customer ticket invoice shipping status please update request system amount total price train ship weight box
parcel street city garden school friend money paper river market bread apple minute hour week month`

var syllables = strings.Fields(`ba be bi bo bu ca ce ci co cu da de di do du fa fe fi fo ga ge gi go la le li lo lu
ma me mi mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo tion ment ing er
ly ness able ous ive al ic ist pre con com dis un re sub inter trans over st tr pl gr br cl`)

// foreignWords exercise every width of UTF-8 and, escaped, surrogate pairs.
var foreignWords = []string{"café", "naïve", "über", "señor", "日本語", "данные", "façade", "Zürich", "→", "—",
	"“quoted”", "π≈3", "😀", "e\u0301", "한국어", "ألف"}

// vocabulary draws words by Zipf's law in constant time (Walker's alias method).
type vocabulary struct {
	words []string
	keep  []uint32 // share of a slot that is its own word, of 2^32
	alias []uint16 // whose the rest is
}

func newVocabulary() *vocabulary {
	v := &vocabulary{words: make([]string, 0, vocabularySize)}
	seen := make(map[string]bool, vocabularySize)
	add := func(w string) {
		if !seen[w] {
			seen[w] = true
			v.words = append(v.words, w)
		}
	}
	for _, w := range strings.Fields(commonWords) {
		add(w)
	}
	src := newSource(0, drawnVocabulary, 0)
	for len(v.words) < vocabularySize {
		var w strings.Builder
		for n := src.between(2, 3); n > 0; n-- {
			w.WriteString(syllables[src.intn(len(syllables))])
		}
		add(w.String())
	}
	v.balance()
	return v
}

// balance fills the alias table: the weight of the word at rank r, from 0, is
// 1 / (2 + r). It calculates in integers, so that all machines agree.
func (v *vocabulary) balance() {
	n := len(v.words)
	weight := make([]uint64, n)
	full := uint64(0) // what a slot holds: the average weight, times n as the weights are
	for r := range weight {
		weight[r] = 1 << 40 / uint64(2+r)
		full += weight[r]
	}
	var small, large []int
	for r := range weight {
		weight[r] *= uint64(n)
		if weight[r] < full {
			small = append(small, r)
		} else {
			large = append(large, r)
		}
	}
	v.keep, v.alias = make([]uint32, n), make([]uint16, n)
	for r := range v.keep {
		v.keep[r], v.alias[r] = math.MaxUint32, uint16(r)
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		hi, lo := bits.Mul64(weight[s], 1<<32)
		share, _ := bits.Div64(hi, lo, full)
		v.keep[s], v.alias[s] = uint32(share), uint16(l)
		weight[l] -= full - weight[s]
		if weight[l] < full {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
}

// word returns the word that 46 random bits stand for.
func (v *vocabulary) word(luck uint64) string {
	slot := luck & (vocabularySize - 1)
	if uint32(luck>>14) > v.keep[slot] {
		slot = uint64(v.alias[slot])
	}
	return v.words[slot]
}
