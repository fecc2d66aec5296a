package dialect

import (
	"iter"
	"strconv"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// fewNames is up to how many names a search through all of them is cheap.
const fewNames = 32

// member is one member of an object. Its name may be a part of the record.
type member struct {
	name  string
	value []byte
}

// object is the members of an object in their order, of those of the same name
// the last, in the place of the first.
type object []member

// readObject reads the object in json into room.
func readObject(room object, json []byte) object {
	o := room[:0]
	var places map[string]int // of the members, when they are many
	for name, value := range jsonwalk.Members(json) {
		i := -1
		if places == nil {
			i = o.index(name)
		} else if place, ok := places[name]; ok {
			i = place
		}
		if i >= 0 {
			o[i].value = value
			continue
		}
		o = append(o, member{name, value})
		if places != nil {
			places[name] = len(o) - 1
		} else if len(o) > fewNames {
			places = make(map[string]int, 2*fewNames)
			for i := range o {
				places[o[i].name] = i
			}
		}
	}
	return o
}

func (o object) index(name string) int {
	for i := range o {
		if o[i].name == name {
			return i
		}
	}
	return -1
}

// get returns the value of a member, nil when there is none.
func (o object) get(name string) []byte {
	if i := o.index(name); i >= 0 {
		return o[i].value
	}
	return nil
}

// members yields the members of the object in json, of those of the same name
// the last.
func members(json []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		var room [fewNames]member
		for _, m := range readObject(room[:], json) {
			if !yield(m.name, m.value) {
				return
			}
		}
	}
}

func elements(list []byte) (values [][]byte) {
	for value := range jsonwalk.Elements(list) {
		values = append(values, value)
	}
	return values
}

// first returns the first element of a list, nil when there is none.
func first(list []byte) []byte {
	for value := range jsonwalk.Elements(list) {
		return value
	}
	return nil
}

// find returns the value at the end of a path of member names, nil when there
// is none.
func find(json []byte, path ...string) []byte {
	for _, name := range path {
		if !isKind(json, '{') {
			return nil
		}
		json = step(json, name)
	}
	return json
}

// get returns the value at the end of the path, nil when it leads nowhere.
func get(json []byte, path []string) []byte {
	for _, name := range path {
		if json = step(json, name); json == nil {
			return nil
		}
	}
	return json
}

func step(json []byte, name string) (found []byte) {
	if isKind(json, '[') {
		n, err := strconv.Atoi(name)
		if err != nil {
			return nil
		}
		for element := range jsonwalk.Elements(json) {
			if n == 0 {
				return element
			}
			n--
		}
		return nil
	}
	for member, value := range jsonwalk.Members(json) {
		if member == name {
			found = value
		}
	}
	return found
}

// remove returns an object without the value at the end of the path, nil when
// nothing is left of it. What stands in a list stays, since the others' numbers
// would change.
func remove(json []byte, path []string) []byte {
	if len(path) == 0 {
		return nil
	}
	if !isKind(json, '{') || get(json, path) == nil {
		return json
	}
	var rest []byte
	for name, value := range jsonwalk.Members(json) {
		if name == path[0] {
			if value = remove(value, path[1:]); value == nil {
				continue
			}
		}
		rest = appendMember(rest, name, value)
	}
	return closed(rest)
}

// appendMember appends a member to the JSON text of an object whose closing
// brace is still to come; an empty one is started.
func appendMember(object []byte, name string, value []byte) []byte {
	if len(object) == 0 {
		object = append(object, '{')
	} else {
		object = append(object, ',')
	}
	object = append(jsonscan.AppendString(object, name), ':')
	return jsonscan.AppendCompact(object, value)
}

// without returns an object without one of its members, nil when none is left.
func without(object []byte, gone string) (rest []byte) {
	for name, value := range jsonwalk.Members(object) {
		if name != gone {
			rest = appendMember(rest, name, value)
		}
	}
	return closed(rest)
}

// closed closes an object that appendMember began, unless none was.
func closed(object []byte) []byte {
	if len(object) == 0 {
		return nil
	}
	return append(object, '}')
}

func quoted(text string) []byte { return jsonscan.AppendString(nil, text) }
