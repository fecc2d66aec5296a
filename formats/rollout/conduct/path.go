package conduct

import "strings"

// isTestPath reports whether a path in lower case is that of a test: in a folder
// of tests, or a file named as tests are.
func isTestPath(path string) bool {
	folders, file := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		folders, file = path[:i], path[i+1:]
	}
	if file == "__init__.py" {
		return false
	}
	for folder := range strings.SplitSeq(folders, "/") {
		switch folder {
		case "test", "tests", "__tests__", "spec":
			return true
		}
	}
	if strings.HasPrefix(file, "test_") && strings.HasSuffix(file, ".py") {
		return true
	}
	dot := strings.LastIndexByte(file, '.')
	if dot < 0 || !isLetters(file[dot+1:]) {
		return false
	}
	for _, word := range [...]string{"test", "spec"} {
		if stem, ok := strings.CutSuffix(file[:dot], word); ok && stem != "" && strings.IndexByte("._-", stem[len(stem)-1]) >= 0 {
			return true
		}
	}
	return false
}

func isLetters(s string) bool {
	for i := range len(s) {
		if s[i]-'a' >= 26 {
			return false
		}
	}
	return s != ""
}
