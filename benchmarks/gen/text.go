package gen

import "strconv"

// snippets are the code that some replies hold: tabs, quotes and backslashes.
var snippets = []string{
	"```python\ndef total(rows):\n\treturn sum(r[\"amount\"] for r in rows)  # all of them\n```",
	"```sh\ngrep -c 'refund\\b' \"orders.txt\" | tr -d '\\n'\n```",
	"```json\n{\"order\": \"A-17\", \"path\": \"C:\\\\data\\\\in\", \"open\": null}\n```",
}

// appendProse appends about n bytes of sentences, from a capital to a full
// stop, with paragraphs, lists, quotes and numbers among them. With foreign,
// one word in 32 is not ASCII.
func (v *vocabulary) appendProse(dst []byte, src *source, n int, foreign bool) []byte {
	end := len(dst) + n
	words := 0 // of the sentence so far
	for len(dst) < end {
		r := src.next()
		w, luck := v.word(r), r>>46 // 18 bits that the word did not use
		if words > 0 {
			dst = append(dst, ' ')
		}
		switch {
		case luck&31 == 0:
			dst = strconv.AppendInt(dst, int64(r>>14)%10000, 10)
		case foreign && luck&31 == 1:
			dst = append(dst, foreignWords[r>>14%uint64(len(foreignWords))]...)
		case luck&127 == 2:
			dst = append(append(append(dst, '"'), w...), '"')
		case words == 0:
			dst = append(append(dst, w[0]-'a'+'A'), w[1:]...)
		default:
			dst = append(dst, w...)
		}
		words++
		switch mark := luck >> 7 & 15; {
		case words > 8 && mark < 3:
			dst, words = append(dst, '.'), 0
			switch luck >> 11 & 15 {
			case 0:
				dst = append(dst, "\n\n"...)
			case 1, 2:
				dst = append(dst, "\n- "...)
			default:
				dst = append(dst, ' ')
			}
		case mark == 15:
			dst = append(dst, ',')
		}
	}
	return append(trimEnd(dst), '.')
}

// trimEnd drops what may stand behind the last word of prose.
func trimEnd(b []byte) []byte {
	for len(b) > 0 {
		switch b[len(b)-1] {
		case ' ', '\n', '-', ',', '.':
			b = b[:len(b)-1]
		default:
			return b
		}
	}
	return b
}

// appendPhrase appends n plain words with a space between them.
func (v *vocabulary) appendPhrase(dst []byte, src *source, n int) []byte {
	for i := range n {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, v.word(src.next())...)
	}
	return dst
}
