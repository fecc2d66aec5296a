package rollout

// Object is a JSON object that is being written, member by member. The zero value has no
// member. Names are not looked at: who writes one twice has it twice.
type Object struct{ text []byte }

// Text adds a member that is a text.
func (o *Object) Text(name, value string) {
	o.name(name)
	o.text = AppendText(o.text, value)
}

// Raw adds a member whose value is JSON.
func (o *Object) Raw(name, json string) {
	o.name(name)
	o.text = append(o.text, json...)
}

// RawBytes is Raw for JSON that is no string.
func (o *Object) RawBytes(name string, json []byte) {
	o.name(name)
	o.text = append(o.text, json...)
}

func (o *Object) name(name string) {
	if len(o.text) == 0 {
		o.text = append(o.text, '{')
	} else {
		o.text = append(o.text, ',')
	}
	o.text = append(AppendText(o.text, name), ':')
}

// AppendTo appends the object.
func (o *Object) AppendTo(dst []byte) []byte {
	if len(o.text) == 0 {
		return append(dst, "{}"...)
	}
	return append(append(dst, o.text...), '}')
}

// String is the object.
func (o *Object) String() string { return string(o.AppendTo(nil)) }
