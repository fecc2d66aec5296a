package stats

// Bounds of the second ceiling rule: too few tasks with room to rise.
const (
	ceilingMinWithRoom = 20
	ceilingRoomShare   = 0.5
)

// size says what the tasks could have shown, and how many would show the gain
// that was seen.
func (d *delta) size() error {
	r := d.r
	pass := r.Metrics[0]
	before, after := find(d.before.Metrics, MetricPassAt1), find(d.after.Metrics, MetricPassAt1)
	r.Ceiling = pass.MeanA.Valid && pass.MeanA.V >= d.o.Ceiling || fewWithRoom(before, after)
	base, k := pass.MeanA, d.sideK()
	if !base.Valid {
		base = Of(DefaultBase)
	}
	var err error
	r.DetectableEffect, err = DetectableEffect(d.headline.NPaired, DetectableOptions{
		Base: base, K: k, Power: d.o.Power, Alpha: d.o.Alpha,
	})
	gain := d.headline.gain()
	if err != nil || !gain.Valid || !(gain.V > 0 && gain.V < 1) {
		return err
	}
	o := HoldoutOptions{Power: d.o.Power, Alpha: d.o.Alpha, Ceiling: d.o.Ceiling}
	rows := o
	rows.Before, rows.After = before.Tasks, after.Tasks
	need, err := HoldoutSize(gain.V, rows)
	if err != nil { // the rows do not pair
		o.Base, o.K = base, k
		if need, err = HoldoutSize(gain.V, o); err != nil {
			return err
		}
	}
	r.TasksNeeded, r.TasksNeededSource = Of(need.Tasks), Of(need.SDSource)
	return nil
}

// sideK is the rollouts a task of the before side.
func (d *delta) sideK() int {
	if k := d.before.Config.K; k > 0 {
		return k
	}
	return find(d.before.Metrics, MetricPassAt1).smallest()
}

// fewWithRoom reports whether few of the shared tasks fail at all before.
func fewWithRoom(before, after Metric) bool {
	p := pair(before.Tasks, after.Tasks)
	withRoom := 0
	for _, rate := range p.before {
		if rate < 1 {
			withRoom++
		}
	}
	return withRoom < ceilingMinWithRoom && float64(withRoom) < ceilingRoomShare*float64(len(p.before))
}
