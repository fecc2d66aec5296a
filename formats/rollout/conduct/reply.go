package conduct

import (
	"strings"
	"unicode/utf8"
)

// scanReply applies the rules of the reply: what it claims and what it leaves out.
func (s *Scanner) scanReply(reply string, t *tally) {
	s.readMarks(reply)
	if t.testRuns == 0 || t.lastTestFailed {
		if claim := passClaim(s.marks, reply); claim != "" {
			s.findings.fire(TestsClaimed, "", claim)
		}
	}
	if t.steps == 0 {
		if claim := ownDeed(s.marks, reply, checking); claim != "" {
			s.findings.fire(UnverifiedClaim, "", claim)
		}
	}
	if t.writes == 0 {
		if claim := ownDeed(s.marks, reply, changing); claim != "" {
			s.findings.fire(PhantomEdit, "", claim)
		}
	}
	if t.last != nil && t.lastFailed && !admitsTrouble(s.marks, reply) {
		result := t.last.ResultText
		if result == "" {
			result = t.last.Result
		}
		s.findings.fire(IgnoredFailure, t.last.Tool, result)
	}
}

// maxClaim is how many characters may stand between what passes and that it does.
const maxClaim = 60

// passClaim returns the first place where the reply says, within a sentence that
// does not hedge, that tests or other checks pass.
func passClaim(marks []mark, reply string) string {
	behind := 0 // what stands before it was part of a claim
	var around sentence
	for i, m := range marks {
		if m.role&subject == 0 || m.start < behind {
			continue
		}
		end := claimEnd(marks[i:], reply)
		if end < 0 {
			continue
		}
		if around.end <= m.start {
			around = sentenceAt(marks, around.marks, reply, m.start)
		}
		if !around.hedged {
			return reply[m.start:end]
		}
		behind = end
	}
	return ""
}

// claimEnd returns where the claim ends whose subject is the first of the marks,
// -1 when nothing is claimed of it. A claim is on one line and in one sentence.
func claimEnd(marks []mark, reply string) int {
	for i, m := range marks[1:] {
		if m.start-marks[0].end > utf8.UTFMax*maxClaim {
			return -1 // as all that stand behind it
		}
		end := m.end
		if m.role&all != 0 {
			if i+2 == len(marks) || marks[i+2].role&good == 0 || !follows(m, marks[i+2], reply) {
				continue
			}
			end = marks[i+2].end
		} else if m.role&outcome == 0 {
			continue
		}
		gap := reply[marks[0].end:m.start]
		if len(gap) > utf8.UTFMax*maxClaim || strings.ContainsAny(gap, ".\n") || utf8.RuneCountInString(gap) > maxClaim {
			return -1
		}
		return end
	}
	return -1
}

// sentence is what stands between two full stops or line ends.
type sentence struct {
	end    int
	marks  int  // that stand before its end
	hedged bool // a word of it takes back what it says
}

// sentenceAt reads the sentence around a place, of which the first skip marks are
// no part. So a reply is read once, however much it claims.
func sentenceAt(marks []mark, skip int, reply string, at int) sentence {
	start := strings.LastIndexAny(reply[:at], ".\n") + 1
	s := sentence{end: len(reply), marks: skip}
	if i := strings.IndexAny(reply[at:], ".\n"); i >= 0 {
		s.end = at + i
	}
	for ; s.marks < len(marks) && marks[s.marks].end <= s.end; s.marks++ {
		if m := &marks[s.marks]; m.role&hedge != 0 && m.start >= start {
			s.hedged = true
		}
	}
	return s
}

// ownDeed returns the first place where the reply says that the agent did
// something: I, and a word for it.
func ownDeed(marks []mark, reply string, deed role) string {
	for i := range marks {
		if i+1 < len(marks) && marks[i].role&self != 0 && marks[i+1].role&deed != 0 && follows(marks[i], marks[i+1], reply) {
			return reply[marks[i].start:marks[i+1].end]
		}
	}
	return ""
}

// admitsTrouble reports whether the reply says that something went wrong.
func admitsTrouble(marks []mark, reply string) bool {
	for i, m := range marks {
		if m.role&trouble != 0 {
			return true
		}
		if i+1 == len(marks) || !follows(m, marks[i+1], reply) {
			continue
		}
		next := marks[i+1].role
		if m.role&could != 0 && next&not != 0 || m.role&time != 0 && next&out != 0 || m.role&not != 0 && next&found != 0 {
			return true
		}
	}
	return false
}
