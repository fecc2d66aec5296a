package selection

// groups are numbers sorted into groups, each in its order, at 4 bytes a number
// and a group.
type groups struct {
	ends []uint32
	list []uint32
}

// groupBy sorts the numbers that a list holds into n groups.
func groupBy(list []uint32, n int, of func(uint32) uint32) groups {
	g := groups{ends: make([]uint32, n), list: make([]uint32, len(list))}
	for _, x := range list {
		g.ends[of(x)]++
	}
	start := uint32(0)
	for i, size := range g.ends {
		g.ends[i] = start
		start += size
	}
	for _, x := range list {
		at := &g.ends[of(x)]
		g.list[*at] = x
		*at++
	}
	return g
}

// of is the numbers of a group.
func (g *groups) of(i uint32) []uint32 {
	start := uint32(0)
	if i > 0 {
		start = g.ends[i-1]
	}
	return g.list[start:g.ends[i]]
}
