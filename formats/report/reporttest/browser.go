// Package reporttest looks at report pages in a browser, for tests:
//
//	for _, v := range reporttest.Views(420, 1200) {
//		reporttest.Look(t, page, v)
//	}
//
// It needs chromium, and skips the test where there is none. With the environment
// variable ROLLMILL_SHOTS, a folder, it leaves a picture of each view there.
package reporttest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// View is how a page is looked at.
type View struct {
	Width int // of the page, in pixels
	Dark  bool
}

// String is a word for the view.
func (v View) String() string {
	if v.Dark {
		return fmt.Sprintf("%d-dark", v.Width)
	}
	return fmt.Sprintf("%d-light", v.Width)
}

// Views are all widths, light and dark.
func Views(widths ...int) (list []View) {
	for _, w := range widths {
		list = append(list, View{w, false}, View{w, true})
	}
	return list
}

// probe says whether anything sticks out of the page or has to be scrolled, whether
// letters of a picture are small or touch, and how bright the page is.
const probe = `<script>
const d = document.documentElement, wide = [];
for (const e of document.querySelectorAll("body *")) {
  const r = e.getBoundingClientRect();
  if (r.right > d.clientWidth + 1 && !e.closest(".scroll") && !e.closest("svg")) wide.push(e.tagName + "." + e.className);
}
for (const e of document.querySelectorAll(".scroll")) {
  if (e.scrollWidth > e.clientWidth + 1) wide.push("a table of " + e.scrollWidth + " in " + e.clientWidth);
}
for (const picture of document.querySelectorAll("svg")) {
  const texts = [...picture.querySelectorAll("text")].map(e => [e.textContent, e.getBoundingClientRect()]);
  for (const [i, [text, r]] of texts.entries()) {
    if (r.height < 11) wide.push("small: " + text);
    for (const [other, o] of texts.slice(0, i)) {
      if (r.left < o.right + 6 && o.left < r.right + 6 && r.top < o.bottom - 2 && o.top < r.bottom - 2) wide.push("close: " + other + " and " + text);
    }
  }
}
const paper = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
parent.postMessage((d.scrollWidth <= d.clientWidth && wide.length == 0 ? "fits" : d.scrollWidth + " in " + d.clientWidth + ": " + wide.slice(0, 5).join(", ")) +
  (paper[0] < 128 ? " dark" : " light"), "*");
</script></body>`

// height is how much of a page a picture shows.
const height = 6000

// Look fails the test when something sticks out of a page or a table has to be scrolled,
// when letters of a picture are small or touch, when the page is light where it should be
// dark, or when the browser complains. A frame is as wide as it is told to
// be, where a window has a least width.
func Look(t *testing.T, page []byte, v View) {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	dir := t.TempDir()
	inner := strings.Replace(string(page), "default-src 'none';", "default-src 'none'; script-src 'unsafe-inline';", 1)
	inner = strings.Replace(inner, "</body>", probe, 1)
	outer := fmt.Sprintf(`<!DOCTYPE html><meta charset="utf-8"><title>none</title><style>body { margin: 0 }</style>`+
		`<iframe src="page.html" style="border:0;width:%dpx;height:%dpx"></iframe>`+
		`<pre id="said"></pre><script>onmessage = e => document.getElementById("said").textContent = "it " + e.data</script>`, v.Width, height-100)
	path := filepath.Join(dir, "outer.html")
	for name, text := range map[string]string{filepath.Join(dir, "page.html"): inner, path: outer} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	scheme := "--blink-settings=preferredColorScheme=1"
	if v.Dark {
		scheme = "--blink-settings=preferredColorScheme=0"
	}
	args := []string{"--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--enable-logging=stderr", scheme,
		"--virtual-time-budget=5000", "--user-data-dir=" + filepath.Join(dir, "profile")}
	var complaints strings.Builder
	cmd := exec.CommandContext(t.Context(), browser, append(args, "--dump-dom", "file://"+path)...)
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Skip("chromium does not run here: ", err)
	}
	_, said, _ := strings.Cut(string(out), `<pre id="said">`)
	said, _, _ = strings.Cut(said, "<")
	want := "it fits light"
	if v.Dark {
		want = "it fits dark"
	}
	if said != want {
		t.Errorf("at %v: %q, want %q", v, said, want)
	}
	for line := range strings.Lines(complaints.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("at %v: %s", v, line)
		}
	}
	if folder := os.Getenv("ROLLMILL_SHOTS"); folder != "" {
		shot := filepath.Join(folder, strings.ReplaceAll(t.Name(), "/", "-")+"-"+v.String()+".png")
		if err := exec.CommandContext(t.Context(), browser, append(args, fmt.Sprintf("--window-size=%d,%d", max(v.Width, 500), height), "--screenshot="+shot, "file://"+path)...).Run(); err != nil {
			t.Errorf("%s: %v", shot, err)
		}
	}
}
