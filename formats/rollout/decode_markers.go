package rollout

import "slices"

// markersField reads the named side measurements.
func (d *Decoder) markersField(name []byte, i int) int {
	if !d.wanted(FieldMarkers, name) {
		return d.scan.Value(i)
	}
	if b := d.scan.Buf; i >= len(b) || b[i] != '{' {
		return d.keep(FieldMarkers, name, i)
	}
	d.markerBuf, d.markerAt = d.markerBuf[:0], nil
	end := d.object(i, (*Decoder).marker)
	d.row.Markers = d.markers.take(d.markerBuf)
	d.row.has |= FieldMarkers
	return end
}

func (d *Decoder) marker(name []byte, i int) int {
	v, end := d.value(i)
	if n := d.findMarker(name); n >= 0 {
		d.notes.DuplicateNames++
		d.markerBuf[n].Value = v
		return end
	}
	d.markerBuf = append(d.markerBuf, Marker{view(name), v})
	return end
}

// findMarker returns the place of a marker that was met before, or -1. A
// record with many gets an index.
func (d *Decoder) findMarker(name []byte) int {
	if len(d.markerBuf) <= fewNames {
		return slices.IndexFunc(d.markerBuf, func(m Marker) bool { return m.Name == string(name) })
	}
	if d.markerAt == nil {
		d.markerAt = make(map[string]int, 4*fewNames)
	}
	for n := len(d.markerAt); n < len(d.markerBuf); n++ {
		d.markerAt[d.markerBuf[n].Name] = n
	}
	if n, ok := d.markerAt[string(name)]; ok {
		return n
	}
	return -1
}

// gatesField reads what earlier runs found: [{gate, code, detail}].
func (d *Decoder) gatesField(name []byte, i int) int {
	if !d.wanted(FieldGates, name) {
		return d.scan.Value(i)
	}
	b := d.scan.Buf
	if i >= len(b) || b[i] != '[' {
		return d.keep(FieldGates, name, i)
	}
	d.gateBuf, d.inexact = d.gateBuf[:0], false
	end := d.array(i, (*Decoder).finding)
	if end < 0 {
		return -1
	}
	d.row.Gates = d.gates.take(d.gateBuf)
	d.row.has |= FieldGates
	if d.inexact {
		d.keepText(FieldGates, name, view(b[i:end]))
	}
	return end
}

func (d *Decoder) finding(i int) int {
	if b := d.scan.Buf; i >= len(b) || b[i] != '{' {
		d.inexact = true
		return d.scan.Value(i)
	}
	d.gateBuf = append(d.gateBuf, Finding{})
	return d.object(i, (*Decoder).findingMember)
}

func (d *Decoder) findingMember(name []byte, i int) int {
	f := &d.gateBuf[len(d.gateBuf)-1]
	switch string(name) {
	case "gate":
		return d.memberText(&f.Gate, i, false)
	case "code":
		return d.memberText(&f.Code, i, false)
	case "detail":
		return d.memberText(&f.Detail, i, false)
	}
	d.inexact = true
	return d.scan.Value(i)
}
