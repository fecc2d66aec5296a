package main

import "testing"

func TestExcerpt(t *testing.T) {
	for _, c := range []struct {
		name, text string
		width      int
		want       string
	}{
		{"plain", "What is 2 + 2?", 0, "What is 2 + 2?"},
		{"other scripts", "Größe 日本 🍸", 0, "Größe 日本 🍸"},
		{"escape sequence", "\x1b[31mred\x1b[0m", 0, `\x1b[31mred\x1b[0m`},
		{"eight-bit escape sequence", "\u009b31m", 0, `\u009b31m`},
		{"line ends and tabs", "a\nb\r\tc", 0, `a\nb\r\tc`},
		{"bell, delete", "\a\x7f", 0, `\a\x7f`},
		{"direction of writing", "a\u202eb\u2066", 0, `a\u202eb\u2066`},
		{"no UTF-8", "a\xffb", 0, `a\xffb`},
		{"cut", "abcdef", 4, "abcd… +2"},
		{"cut between characters", "日本語です", 2, "日本… +3"},
		{"not cut", "abcd", 4, "abcd"},
		{"nothing", "", 4, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := excerpt(c.text, c.width); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestNumbersForPeople(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 99_400: "99.4 kB", 99_600: "100 kB", 999_600: "1.0 MB", 3_210_000_000: "3.2 GB", 5e15: "5000 TB"} {
		if got := byteSize(n); got != want {
			t.Errorf("byteSize(%d) = %s, want %s", n, got, want)
		}
	}
	for _, c := range []struct {
		n, of int64
		want  string
	}{{3, 3, "100 %"}, {2, 3, "66.7 %"}, {999_999, 1_000_000, ">99.9 %"}, {1, 1_000_000, "<0.1 %"}} {
		if got := percent(c.n, c.of); got != c.want {
			t.Errorf("percent(%d, %d) = %s, want %s", c.n, c.of, got, c.want)
		}
	}
}
