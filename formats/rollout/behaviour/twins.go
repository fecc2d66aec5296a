package behaviour

// spelled is a member of an object and where in the output it stands.
type spelled struct {
	name              string
	start, value, end int
}

// fewMembers is up to how many members of an object each is held against all
// before it.
const fewMembers = 32

// haveTwins reports whether two members have the same name.
func haveTwins(members []spelled) bool {
	if len(members) > fewMembers {
		names := make(map[string]struct{}, len(members))
		for i := range members {
			names[members[i].name] = struct{}{}
		}
		return len(names) < len(members)
	}
	for i := range members {
		for j := range i {
			if members[i].name == members[j].name {
				return true
			}
		}
	}
	return false
}

// withoutTwins writes the members anew from start on: one of each name, in the
// first one's place and with the last one's value.
func withoutTwins(dst []byte, start int, members []spelled) []byte {
	last := make(map[string]int, len(members))
	for i := range members {
		last[members[i].name] = i
	}
	out := make([]byte, 0, len(dst)-start)
	out = append(out, '{')
	for _, m := range members {
		i, ok := last[m.name]
		if !ok {
			continue // it was written in the place of its first
		}
		delete(last, m.name)
		if len(out) > 1 {
			out = append(out, ", "...)
		}
		out = append(out, dst[m.start:m.value]...)
		out = append(out, dst[members[i].value:members[i].end]...)
	}
	return append(dst[:start], out...)
}
