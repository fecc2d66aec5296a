package stats

import "encoding/json"

// marshalWith writes two structs as the members of one JSON object, the first
// one's first.
func marshalWith(first, second any) ([]byte, error) {
	a, err := json.Marshal(first)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(second)
	if err != nil {
		return nil, err
	}
	switch {
	case len(a) == 2:
		return b, nil
	case len(b) == 2:
		return a, nil
	}
	return append(append(a[:len(a)-1], ','), b[1:]...), nil
}
