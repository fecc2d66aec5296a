package verify

import "strings"

// fenced are the contents of the fenced code blocks of a text, with the word
// behind the opening fence in lower case. A block that the end of the text cuts
// off counts.
func fenced(text string) (blocks []codeBlock) {
	var open *codeBlock
	marks, start := 0, 0
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := strings.Trim(text[at:end], " \t\r\n")
		n := len(line) - len(strings.TrimLeft(line, "`"))
		switch {
		case open == nil && n >= 3 && !strings.Contains(line[n:], "`"):
			word, _, _ := strings.Cut(strings.TrimSpace(line[n:]), " ")
			open, marks, start = &codeBlock{word: strings.ToLower(word)}, n, end
		case open != nil && n >= marks && n == len(line):
			open.text = text[start:at]
			blocks, open = append(blocks, *open), nil
		}
		at = end
	}
	if open != nil {
		open.text = text[start:]
		blocks = append(blocks, *open)
	}
	return blocks
}

// codeBlock is what stands between two fences.
type codeBlock struct {
	word string // such as python or json; "" for none
	text string
}
