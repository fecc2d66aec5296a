package verify_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade/verify"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64 // NaN: none
	}{
		// where the answer is found
		{"18", 18},
		{"first 3\nthen A: 18", 18},
		{"#### 12 is not final\nso we add 6\n#### 18\nthat is all of 20", 18},
		{"step one #### 12 is not final\nso we add 6\n#### 18", 18},
		{"####7", 7},
		{"##### 7 is a heading\n8", 8},
		{"First I had \\boxed{1}. Correcting the sign gives \\boxed{2}. So 3", 2},
		{"so \\boxed{\\frac{1}{4}} it is, on 5 lines", 0.25},
		{"so \\boxed {7} of 9", 7},
		{"\\boxed{a \\text{b} 12}", 12},
		{"\\boxed{\\boxed{3} + 4}", 3},
		{"cut off: \\boxed{12", 12},
		{"The answer is 72, so the farmer earns that much.\nBye 5", 72},
		{"The total is 72 clips, altogether.", 72},
		{"The result is 3.5. Then 4 more", 3.5},
		{"**Answer:** 42\n\nI hope that 1 of these helps.", 42},
		{"FINAL ANSWER: 41\nbye 2", 41},
		{"answer is 1. No, the answer is 2.\nSolution = 3 of 9", 9},
		{"The answer island 5\nis 6", 6},
		{"number 5\nno digits here", math.NaN()},
		{"", math.NaN()},
		{"\n \n", math.NaN()},

		// how numbers are written
		{"115,000", 115000},
		{"8{,}000", 8000},
		{"\\boxed{12{,}500}", 12500},
		{"12\\,500", 12500},
		{"1\u00a0234\u202f567", 1234567},
		{"12,34", 34},
		{"3,5,7", 7},
		{"0,123", 123},
		{"1,234,56", 56},
		{"1,2345", 2345},
		{"1234,567", 567},
		{"10 200", 200},
		{"$29.00", 29},
		{"29.", 29},
		{".5", 0.5},
		{"-.5", -0.5},
		{"-18", -18},
		{"\u221218", -18},
		{"-$5", -5},
		{"$-5", -5},
		{"-\\$5", -5},
		{"10-5", 5},
		{"f(2)-5", 5},
		{"is -5", -5},
		{"50%", 50},
		{"50\\%", 50},
		{"1e3", 1000},
		{"1.5E-3", 0.0015},
		{"3e", 3},
		{"2ex", 2},
		{"3 \\times 10^{5}", 300000},
		{"3×10^-2 m", 0.03},
		{"3 x 10^2", 300},
		{"3 x 4", 4},
		{"3/4", 0.75},
		{"3 / 4 of it", 0.75},
		{"-1/2", -0.5},
		{"1 1/2 cups", 1.5},
		{"7 14/7", 2},
		{"12/05/2023", 2023},
		{"4/0", 0},
		{"\\frac{3}{4}", 0.75},
		{"-\\dfrac{3}{4}", -0.75},
		{"\\frac12", 0.5},
		{"\\frac{1}{0} 5", 5},
		{"\\frac{\\frac{1}{2}}{3}", 3},
		{"\\frac{x}{2}", 2},
		{"9007199254740993", 9007199254740992},
		{"123456789012345678901234567890", 123456789012345678901234567890},
		{"0.1", 0.1},
		{"0.30000000000000004", 0.30000000000000004},
		{"1e400", math.Inf(1)},
		{"1e-400", 0},
		{"1e99999999999999999999", math.Inf(1)},

		// units and words
		{"5 m^2", 5},
		{"5 m^{-2}", 5},
		{"5 H2O", 5},
		{"18th", 18},
		{"5kg", 5},
		{"x2", 2},
		{"x_1 = 4", 4},
		{"only H2O", 2},
		{"12 apples and 7 m^2 of x_3", 7},
	} {
		t.Run(c.text, func(t *testing.T) {
			got, ok := verify.Number(c.text)
			if ok == math.IsNaN(c.want) || ok && got != c.want {
				t.Errorf("got %v, %v, want %v", got, ok, c.want)
			}
		})
	}
}

func TestNumeric(t *testing.T) {
	for _, c := range []struct {
		name      string
		o         verify.NumericOptions
		answer    string
		reference string
		want      string
	}{
		{"equal", verify.NumericOptions{}, "A: 5,600", `"A: 5600"`, "1: equal"},
		{"a number as reference", verify.NumericOptions{}, "5600 apples", `5600.0`, "1: equal"},
		{"other", verify.NumericOptions{}, "A: 5,601", `"5600"`, "0: not equal"},
		{"within a millionth", verify.NumericOptions{}, "0.3333334", `"1/3"`, "1: equal"},
		{"a rounded one is another", verify.NumericOptions{}, "0.333", `"1/3"`, "0: not equal"},
		{"tolerance", verify.NumericOptions{Tolerance: 0.01}, "0.333", `"1/3"`, "1: equal"},
		{"relative", verify.NumericOptions{Relative: 0.01}, "1009", `1000`, "1: equal"},
		{"relative, too far", verify.NumericOptions{Relative: 0.01}, "1011", `1000`, "0: not equal"},
		{"the wider counts", verify.NumericOptions{Relative: 0.001, Tolerance: 20}, "1011", `1000`, "1: equal"},
		{"percent is no hundredth", verify.NumericOptions{}, "50%", `0.5`, "0: not equal"},
		{"no number", verify.NumericOptions{}, "I do not know", `4`, "0: no number found"},
		{"no number to hold it against", verify.NumericOptions{}, "4", `"none"`, "invalid_result: no number in the reference"},
		{"no reference", verify.NumericOptions{}, "4", `null`, "invalid_result: no reference"},
		{"both beyond the range", verify.NumericOptions{}, "1e999", `"1e999"`, "1: equal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verdict(t, verify.Numeric(c.o), row(t, c.answer, c.reference)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	names := []string{"numeric", "numeric:0.01", "numeric:1%", "numeric:0.01,1%"}
	for i, o := range []verify.NumericOptions{{}, {Tolerance: 0.01}, {Relative: 0.01}, {Tolerance: 0.01, Relative: 0.01}} {
		if got := verify.Numeric(o).Info().Name; got != names[i] {
			t.Errorf("got %s, want %s", got, names[i])
		}
	}
}

// TestNumberRoundTrip writes numbers in several ways and reads them back.
func TestNumberRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "number")
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return
		}
		for _, text := range []string{fmt.Sprintf("%.17g", f), string(rollout.AppendFloat(nil, f)), fmt.Sprintf("It is $%v.", f)} {
			got, ok := verify.Number(text)
			if !ok || math.Abs(got-f) > 1e-15*math.Abs(f) {
				t.Errorf("%s: got %v, %v", text, got, ok)
			}
		}
		n := rapid.Int64Range(-1e15, 1e15).Draw(t, "integer")
		if got, ok := verify.Number("A: " + thousands(n)); !ok || got != float64(n) {
			t.Errorf("%s: got %v, %v", thousands(n), got, ok)
		}
	})
}

func thousands(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// TestNumberLooksBack has the scan from a place before the last digit find what
// the scan of the whole line finds.
func TestNumberLooksBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"1", "23", ",456", ".5", " ", "/", "-", "e3", "x", "word", "^2", "m", `\frac12`, "×10^2", "$", "(", "_3"}), 1, 40).Draw(t, "parts")
		text := strings.Join(parts, "")
		got, ok := verify.Number(text)
		want, known := verify.NumberPlainly(text)
		if ok != known || got != want {
			t.Errorf("%q: got %v, %v, want %v, %v", text, got, ok, want, known)
		}
	})
}

func TestBehindPhrase(t *testing.T) {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{"answer", "Result", "SOLUTION", "answers", " ", "*", "is", "=", ":", "u", "w", "W", "land", "3", "\x97"}), 1, 20)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(parts.Draw(t, "parts"), "")
		if got, want := verify.BehindPhrase(text), verify.BehindPhrasePlainly(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	})
}

func FuzzNumber(f *testing.F) {
	for _, text := range []string{"18", `\boxed{\frac{1}{2}}`, "1 1/2", "3 × 10^5", "12{,}500", "answer is -$5.00.", "#### 1,234", `\frac{{{`, "1e99999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := verify.Number(text)
		if math.IsNaN(got) || !ok && got != 0 {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	})
}

// TestGSM8K grades the 5,276 solutions of the example models against the ground
// truth: the verdict is that of the authors on every one.
func TestGSM8K(t *testing.T) {
	numeric := verify.Numeric(verify.NumericOptions{})
	graded, right := 0, 0
	for _, s := range gsm8k(t) {
		want := "0: "
		if s.correct {
			want = "1: "
			right++
		}
		graded++
		if got := verdict(t, numeric, row(t, s.solution, s.truth)); !strings.HasPrefix(got, want) {
			t.Errorf("%q against %s: %s, want %s", s.solution, s.truth, got, want)
		}
	}
	if graded != 5276 || right != 2001 {
		t.Errorf("%d solutions, %d right; want 5,276 and 2,001", graded, right)
	}
}

type solution struct {
	solution, truth string // the truth is JSON
	correct         bool
}

func gsm8k(t testing.TB) (list []solution) {
	t.Helper()
	file, err := os.Open(data(t, "gsm8k/example_model_solutions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var record map[string]json.RawMessage
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		for _, value := range record {
			var s struct {
				Solution string `json:"solution"`
				Correct  bool   `json:"is_correct"`
			}
			if json.Unmarshal(value, &s) == nil && value[0] == '{' {
				list = append(list, solution{s.Solution, string(record["ground_truth"]), s.Correct})
			}
		}
	}
	return list
}
