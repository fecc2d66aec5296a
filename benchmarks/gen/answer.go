package gen

import "strconv"

// answer is a number in hundredths.
type answer int64

func wholeAnswer(n int) answer { return answer(n) * 100 }

// drawAnswer returns mostly whole numbers, small ones and ones that need
// thousands commas, a few of them negative or with two decimals.
func drawAnswer(src *source) answer {
	a := wholeAnswer(src.intn(1000))
	if src.chance(0.4) {
		a = wholeAnswer(src.between(1000, 2_000_000))
	}
	switch r := src.intn(20); {
	case r == 0:
		a = -a
	case r == 1:
		a += answer(src.between(1, 99))
	}
	return a
}

// wrong returns an answer that differs from a by at least one.
func (a answer) wrong(src *source) answer {
	d := wholeAnswer(src.between(1, 97))
	if src.chance(0.5) {
		return a - d
	}
	return a + d
}

func (a answer) whole() bool { return a%100 == 0 }

// appendPlain appends the number without commas, as in 1234 or -0.50.
func (a answer) appendPlain(dst []byte) []byte {
	if a < 0 {
		dst, a = append(dst, '-'), -a
	}
	dst = strconv.AppendInt(dst, int64(a/100), 10)
	if !a.whole() {
		dst = append(dst, '.', byte('0'+a%100/10), byte('0'+a%10))
	}
	return dst
}

// appendGrouped appends a whole number with commas at the thousands.
func (a answer) appendGrouped(dst []byte) []byte {
	plain := a.appendPlain(nil)
	for i, c := range plain {
		if left := len(plain) - i; left%3 == 0 && i > 0 && plain[i-1] != '-' {
			dst = append(dst, ',')
		}
		dst = append(dst, c)
	}
	return dst
}

func (a answer) String() string { return string(a.appendPlain(nil)) }

// appendClosing appends the last line of a reply, in one of the ways in which
// people and models write an answer. Each can be read back as the number, and
// each looks finished (spec of gates, section 1.6). A number with decimals is
// always boxed, since a full stop may end what a verifier reads.
func (a answer) appendClosing(dst []byte, src *source, unit string) []byte {
	way := src.intn(8)
	if !a.whole() {
		way = src.intn(2)
	}
	switch way {
	case 0:
		return append(a.appendPlain(append(dst, `This gives \boxed{`...)), "}."...)
	case 1:
		return append(a.appendPlain(append(dst, `The final answer is $\boxed{`...)), "}$."...)
	case 2:
		return append(a.appendPlain(append(dst, "The answer is "...)), '.')
	case 3:
		return append(a.appendGrouped(append(dst, "The answer is "...)), '.')
	case 4:
		dst = a.appendGrouped(append(dst, "The answer is "...))
		return append(append(append(dst, ' '), unit...), '.')
	case 5:
		return append(a.appendGrouped(append(dst, "So the answer is **"...)), "**."...)
	case 6:
		return append(a.appendPlain(append(dst, "Answer: "...)), '.')
	default:
		return a.appendPlain(append(dst, "#### "...))
	}
}
