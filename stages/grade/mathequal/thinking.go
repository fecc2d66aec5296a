package mathequal

import "strings"

// spoken returns what a reply says once its thinking is done: all after the last
// </think>, without a block that is opened and never closed.
func spoken(reply string) string {
	if i := strings.LastIndex(reply, "</think>"); i >= 0 {
		reply = reply[i+len("</think>"):]
	}
	if i := strings.Index(reply, "<think>"); i >= 0 {
		reply = reply[:i]
	}
	return reply
}
