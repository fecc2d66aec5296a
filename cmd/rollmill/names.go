package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
)

// defaultQuarantine is the name of the quarantine beside an output: that of
// out.jsonl.zst is out.quarantine.jsonl. Standard output and devices have none.
func defaultQuarantine(path string) string {
	if info, err := os.Stat(path); path == files.Stdin || path == "" || err == nil && !info.Mode().IsRegular() {
		return ""
	}
	stem, _ := cutEnding(path)
	return stem + ".quarantine.jsonl"
}

// beside is the name of another output beside one: that of out.jsonl.zst with
// the word holdout is out.holdout.jsonl.zst.
func beside(path, word string) string {
	stem, ending := cutEnding(path)
	return stem + "." + word + ending
}

// cutEnding cuts the ending of an output off its name, with that of compression.
func cutEnding(path string) (stem, ending string) {
	stem = path
	if files.CompressionOf(stem) != files.Plain {
		stem = strings.TrimSuffix(stem, filepath.Ext(stem))
	}
	if ending := filepath.Ext(stem); ending != "" && slices.Contains(outputEndings, strings.ToLower(ending)) {
		stem = strings.TrimSuffix(stem, ending)
	}
	return stem, path[len(stem):]
}

// partsFrom lists the files that are there and have the names of part n of an
// output and those that follow it without a gap.
func partsFrom(path string, n int) (parts []string) {
	for {
		part := jsonl.PartPath(path, n)
		if info, err := os.Lstat(part); err != nil || !info.Mode().IsRegular() {
			return parts
		}
		parts = append(parts, part)
		n++
	}
}

// isPart reports whether a file is a part of an output by its name.
func isPart(path, file string) bool {
	return isPartName(filepath.Base(path), filepath.Base(file)) && sameFile(filepath.Dir(path), filepath.Dir(file))
}

func isPartName(base, name string) bool {
	stem, ending := base, ""
	if dot := strings.IndexByte(base[min(1, len(base)):], '.'); dot >= 0 {
		stem, ending = base[:dot+1], base[dot+1:]
	}
	rest, ok := strings.CutPrefix(name, stem+"-")
	if !ok {
		return false
	}
	number, ok := strings.CutSuffix(rest, ending)
	return ok && len(number) >= 5 && strings.Trim(number, "0123456789") == ""
}
