package text

import "sync"

// automaton finds any of many phrases in one pass: the automaton of Aho and
// Corasick with all its failure links worked into one table.
type automaton struct {
	class     [256]uint8 // of a byte, in both cases; 0 for those that no phrase holds
	next      []uint16   // state and class to state
	accepting uint16     // states from this one on end a phrase
	found     []StyleSet // what each state from accepting on has found
}

// classBits is how many bits a class takes: the phrases hold fewer than 32
// different bytes.
const classBits = 5

// scan reads s and returns what was found.
func (a *automaton) scan(s string) (found StyleSet) {
	state := uint16(0)
	for i := range len(s) {
		state = a.next[int(state)<<classBits|int(a.class[s[i]])]
		if state >= a.accepting {
			if found |= a.found[state-a.accepting]; found == allStyles {
				break
			}
		}
	}
	return found
}

// phraseAutomaton is built when it is first asked for: 0.2 ms.
var phraseAutomaton = sync.OnceValue(newAutomaton)

// trieNode is a state while the automaton is being built.
type trieNode struct {
	next [1 << classBits]int // 0 for none: the root is nobody's child
	fail int
	ends StyleSet
}

func newAutomaton() *automaton {
	a := &automaton{}
	nodes := a.trie()
	order := link(nodes)

	// States that end a phrase come last, so that one comparison tells them.
	number := make([]uint16, len(nodes))
	n := uint16(0)
	for _, ends := range []bool{false, true} {
		if ends {
			a.accepting = n
		}
		for _, i := range order {
			if nodes[i].ends != 0 == ends {
				number[i] = n
				n++
			}
		}
	}
	a.next = make([]uint16, len(nodes)<<classBits)
	a.found = make([]StyleSet, n-a.accepting)
	for i, node := range nodes {
		for class, to := range node.next {
			a.next[int(number[i])<<classBits|class] = number[to]
		}
		if node.ends != 0 {
			a.found[number[i]-a.accepting] = node.ends
		}
	}
	return a
}

// trie gives every byte of the phrases a class and every beginning of one a node.
func (a *automaton) trie() []trieNode {
	nodes := make([]trieNode, 1)
	classes := uint8(1)
	for style := range styles {
		for _, phrase := range style.Phrases() {
			at := 0
			for _, c := range []byte(phrase) {
				if a.class[c] == 0 {
					if classes == 1<<classBits {
						panic("text: the phrases hold too many different bytes")
					}
					a.class[c] = classes
					if c-'a' < 26 {
						a.class[c&^0x20] = classes
					}
					classes++
				}
				child := nodes[at].next[a.class[c]]
				if child == 0 {
					child = len(nodes)
					nodes[at].next[a.class[c]] = child
					nodes = append(nodes, trieNode{})
				}
				at = child
			}
			nodes[at].ends |= 1 << style
		}
	}
	return nodes
}

// link fills in, breadth first, where each node goes on with a byte that it has
// no child for: where the longest end of its text that is a beginning of a
// phrase goes. It returns the nodes in that order, the root first.
func link(nodes []trieNode) []int {
	order := []int{0}
	for n := 0; n < len(order); n++ {
		at := order[n]
		for class, child := range nodes[at].next {
			onward := 0
			if at != 0 {
				onward = nodes[nodes[at].fail].next[class]
			}
			if child == 0 {
				nodes[at].next[class] = onward
				continue
			}
			nodes[child].fail = onward
			nodes[child].ends |= nodes[onward].ends
			order = append(order, child)
		}
	}
	return order
}
