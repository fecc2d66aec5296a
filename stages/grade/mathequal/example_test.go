package mathequal_test

import (
	"fmt"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

func ExampleMatcher_Reply() {
	m, err := mathequal.NewMatcher(`\frac{\sqrt{2}}{2}`, mathequal.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, reply := range []string{
		`Rationalising gives \boxed{\frac{1}{\sqrt2}}.`,
		"The answer is 0.707107",
		`I am not sure, \boxed{\sqrt{2}}?`,
		"I do not know.",
	} {
		v, err := m.Reply(reply)
		fmt.Printf("%v: %q (%v, %v) %v\n", v.Equal, v.Answer, v.Place, v.By, err)
	}
	// Output:
	// true: "\\frac{1}{\\sqrt2}" (boxed, exact) <nil>
	// true: "0.707107" (answer word, rounded) <nil>
	// false: "\\sqrt{2}" (boxed, exact) <nil>
	// false: "" (nowhere, no answer) <nil>
}

func ExampleEqual() {
	for _, pair := range [][2]string{
		{"(x+1)^2", "x^2+2x+1"},
		{"2y = 4x + 2", "y = 2x + 1"},
		{`\sin^2 x + \cos^2 x`, "1"},
		{"9^9^9^9", "1"},
	} {
		v, err := mathequal.Equal(pair[0], pair[1], mathequal.Options{Mode: mathequal.Strict})
		fmt.Println(v.Equal, v.By, err)
	}
	// Output:
	// true exact <nil>
	// true exact <nil>
	// true sampled <nil>
	// false no answer mathequal: over the budget: comparison: size of an exponent
}

func ExampleFinal() {
	a, ok := mathequal.Final("He pays 3 * 6 = 18 dollars.\n#### 18", mathequal.Options{})
	fmt.Println(a.Text, a.Place, ok)
	// Output: 18 marker true
}
