package decontaminate

// lowerWord has the lower case of ASCII letters and digits, 0 for other bytes.
var lowerWord = func() (t [256]byte) {
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-0x20] = c, c
	}
	return t
}()

// asciiLetter is the ASCII letter that the character at the beginning of b has
// as its lower case though it is not ASCII, else 0: i for the capital I with a
// dot (U+0130), which a dot above follows that ends the word, and k for the sign
// of the kelvin (U+212A).
func asciiLetter(b []byte) byte {
	switch {
	case len(b) >= 2 && b[0] == 0xc4 && b[1] == 0xb0:
		return 'i'
	case len(b) >= 3 && b[0] == 0xe2 && b[1] == 0x84 && b[2] == 0xaa:
		return 'k'
	}
	return 0
}

// asciiWord yields the word at start under the ASCII rule and returns where the
// text goes on. Where none begins, it passes one byte.
func (s *splitter) asciiWord(text []byte, start int, yield func(span, []byte)) int {
	s.word = s.word[:0]
	i := start
read:
	for i < len(text) {
		if c := lowerWord[text[i]]; c != 0 {
			s.word = append(s.word, c)
			i++
			continue
		}
		switch asciiLetter(text[i:]) {
		case 'k':
			s.word = append(s.word, 'k')
			i += 3
		case 'i':
			s.word = append(s.word, 'i')
			i += 2
			break read
		default:
			break read
		}
	}
	if i == start {
		return start + 1
	}
	yield(span{uint32(start), uint32(i)}, s.word)
	return i
}
