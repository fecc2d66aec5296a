package mathequal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

func TestFinal(t *testing.T) {
	const both = "both"
	for _, c := range []struct {
		name, reply, want string
		place             mathequal.Place
		strict            string // what Strict mode finds; both for the same
	}{
		{"nothing", "I do not know", "", mathequal.Nowhere, both},
		{"empty", "", "", mathequal.Nowhere, both},
		{"boxed", `so \boxed{42}.`, "42", mathequal.Boxed, both},
		{"boxed, braces", `\boxed{\frac{1}{\sqrt{2}}} it is`, `\frac{1}{\sqrt{2}}`, mathequal.Boxed, both},
		{"boxed, escaped brace", `\boxed{\{1,2\}}`, `\{1,2\}`, mathequal.Boxed, both},
		{"boxed twice", `\boxed{\boxed{5}}`, "5", mathequal.Boxed, both},
		{"boxed without braces", `\boxed 5 is it`, "5", mathequal.Boxed, both},
		{"box left open", `\boxed{8`, "", mathequal.Nowhere, both},
		{"framed box", `\fbox{8}`, "", mathequal.Nowhere, both},
		{"begin and boxed run together", `\beginboxed{8\sqrt{6}}`, `8\sqrt{6}`, mathequal.Boxed, both},
		{"boxes close together", `\boxed{1}, \boxed{2}`, "1 , 2", mathequal.Boxed, "2"},
		{"boxes joined by a word", `\boxed{1} if even and so on, \boxed{2}`, "1 , 2", mathequal.Boxed, "2"},
		{"boxes that say the same", `\boxed{8}, \boxed{8}`, "8", mathequal.Boxed, both},
		{"a box withdrawn", `First \boxed{1}. Correcting the sign gives \boxed{2}.`, "2", mathequal.Boxed, both},
		{"a box before other numbers", `\boxed{8}. But maybe 9`, "8", mathequal.Boxed, both},
		{"hope", "Final answer is 4. I hope it is correct. Not 5.", "4", mathequal.Hope, both},
		{"hope, formula", `The final answer is $\frac{1}{2}$. I hope it is correct, 3.`, `\frac{1}{2}`, mathequal.Hope, both},
		{"phrase", "The final answer to the problem is 12, not 13", "12", mathequal.Phrase, both},
		{"gsm marker", "step #### 12 is not it\nso 6 more\n#### 18", "18", mathequal.Marker, both},
		{"gsm marker, thousands", "#### 1,234\n(or 7)", "1,234", mathequal.Marker, both},
		{"A marker", "3 + 4 = 7\nA: $18.00 for 2", "18.00", mathequal.Marker, both},
		{"marker, formula", `#### $\frac{1}{2}$`, `\frac{1}{2}`, mathequal.Marker, both},
		{"marker, words", `#### x + 1`, `x + 1`, mathequal.Marker, both},
		{"answer colon", "**Answer:** 12 of 13", "12", mathequal.AnswerColon, both},
		{"answer colon, next line", "Answer:\n12\nbecause of 13", "12", mathequal.AnswerColon, both},
		{"answer", "ANSWER is 12; I checked 13", "12", mathequal.AnswerWord, both},
		{"answer, last equals sign", "The answer is 7 because 3 + 4 = 7", "7", mathequal.AnswerWord, both},
		{"answer withdrawn", "answer is $3$, wait the answer is $4$", "4", mathequal.AnswerWord, both},
		{"answer, letter", "answer: B", "", mathequal.Nowhere, both},
		{"formula", `it is $x = 8$ then`, "x = 8", mathequal.Formula, both},
		{"formulas joined", `$x=1$ and $x=2$`, "x=1 , x=2", mathequal.Formula, both},
		{"display", "so\n\\[\n  x^2\n\\]\n", "x^2", mathequal.Formula, both},
		{"dollars are money", "It costs $5 more than $10", "10", mathequal.LastNumber, both},
		{"money", "The total is $1,234.50", "1,234.50", mathequal.LastNumber, both},
		{"last number", "So x is 3 and y is 9", "9", mathequal.LastNumber, both},
		{"last number, sentence", "He pays 8 dollars.", "8", mathequal.LastNumber, both},
		{"percent", "that is 50 percent", "50%", mathequal.LastNumber, both},
		{"expression", "it is 3 + 4/5", "3 + 4/5", mathequal.LastNumber, both},
		{"number in a word", "see B12 or x7", "", mathequal.Nowhere, both},
		{"bare fraction", `half is \frac{1}{2} here`, `\frac{1}{2}`, mathequal.Formula, both},
		{"thinking", "<think>\\boxed{3}</think> \\boxed{8}", "8", mathequal.Boxed, both},
		{"thinking never ends", "<think>it is 3, so", "", mathequal.Nowhere, both},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := mathequal.Final(c.reply, mathequal.Options{})
			if got.Text != c.want || got.Place != c.place || ok != (c.place != mathequal.Nowhere) {
				t.Errorf("%q at %v, want %q at %v", got.Text, got.Place, c.want, c.place)
			}
			want := c.strict
			if want == both {
				want = c.want
			}
			if got, _ := mathequal.Final(c.reply, mathequal.Options{Mode: mathequal.Strict}); got.Text != want {
				t.Errorf("strict: %q, want %q", got.Text, want)
			}
		})
	}
	kept, _ := mathequal.Final("<think>\\boxed{3}</think> \\boxed{8}", mathequal.Options{KeepThinking: true})
	if kept.Text != "3 , 8" {
		t.Errorf("with thinking kept: %q", kept.Text)
	}
}

// TestModes holds the differences of the two modes side by side.
func TestModes(t *testing.T) {
	for _, c := range []struct {
		name, reply, reference string
		mathVerify, strict     bool
	}{
		{"a percentage is not its number", "50%", "50", true, false},
		{"a percentage is a hundredth", "50%", "0.5", true, true},
		{"minus in Unicode", "−5", "-5", false, true},
		{"minus in Unicode in a text", "so it is −5", "-5", false, true},
		{"the last box alone", `First \boxed{3}, then \boxed{4}`, "4", false, true},
		{"boxes of a set", `\boxed{1} and \boxed{2}`, "1,2", true, false},
		{"relation against its solution", `\boxed{x>3}`, `(3,\infty)`, false, true},
		{"solution against its relation", `\boxed{(3,\infty)}`, `x>3`, true, true},
		{"plus or minus within a fraction", `\boxed{\frac{-1\pm\sqrt{5}}{2}}`, `\frac{-1+\sqrt{5}}{2},\frac{-1-\sqrt{5}}{2}`, false, true},
		{"fractional powers", `\boxed{x^{1/3}x^{2/3}}`, "x", false, true},
		{"words behind a value that name another", `\boxed{5\text{ or 6}}`, "5", true, false},
		{"power of ten", `\boxed{2.5e3}`, "2500", false, true},
		{"a formula is a whole reply", `3\sqrt{2}`, `\sqrt{18}`, false, true},
		{"an inequality is a whole reply", "x<2", "2>x", false, true},
		{"a letter is a whole reply", "C", "C", false, true},
		{"words are no formula", "I got 3 or so", "3", true, true},
		{"a box that says nothing", `\boxed{\lg 7} of 12`, "12", true, false},
		{"an equation is not its right side", `\boxed{x^2+y^2=4}`, "4", true, false},
		{"a calculation is its result", `\boxed{5+3=8}`, "8", true, true},
	} {
		for mode, want := range map[mathequal.Mode]bool{mathequal.MathVerify: c.mathVerify, mathequal.Strict: c.strict} {
			v, err := mathequal.Match(c.reply, c.reference, mathequal.Options{Mode: mode})
			if err != nil || v.Equal != want {
				t.Errorf("%s, %v: %+v by %v at %v, %v; want %v", c.name, mode, v, v.By, v.Place, err, want)
			}
		}
	}
}

// TestLongReplies reads replies that are nothing but openings; each would take
// minutes if any part of them were read again for every opening.
func TestLongReplies(t *testing.T) {
	for _, s := range []string{
		`\boxed{`, `\boxed{\boxed{1}`, "$", "$$ ", `\[`, `\(`, "[ ", "a$ ", "$a$, ", "answer ", "final answer is ", "Answer: = ", "1+ ", "( 1", "1 ", "1,000,",
		"1 , ", "####", "\nA:", `\frac{1`, "=", "-", "\n", "<think>", "</think>", "answer======================================",
	} {
		reply := strings.Repeat(s, 400_000/len(s))
		for _, mode := range modes {
			if _, err := mathequal.Match(reply, "5", mathequal.Options{Mode: mode}); err != nil && !errors.Is(err, mathequal.ErrBudget) {
				t.Errorf("%q: %v", s, err)
			}
		}
	}
}
