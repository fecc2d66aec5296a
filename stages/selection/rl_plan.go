package selection

import "context"

// planRL runs the gates of mode RL in the order of the spec of gates, section
// 5.3, and draws.
func (p *Plan) planRL(ctx context.Context) error {
	o := p.a.o.RL
	t := &table{rows: p.a.rl, tasks: p.a.tasks.len(), prompts: p.a.prompt.len(), gates: p.gates, policy: o.Truncated}
	r := &RLReport{
		Target: p.a.o.Target, Band: o.Band, BandConfidence: o.Band.Confidence, EnforceBand: !o.IgnoreBand,
		TruncatedPolicy: o.Truncated, Audit: o.Audit,
	}
	p.report.RL = r

	priorRows := t.dropStanding()
	r.Prior = priorReport(o, priorRows)
	r.Rows = t.left()
	p.scores = t.incoming()
	r.Before = histogramOf(p.scores)
	for _, s := range t.alive {
		if s.marks.has(markEval) {
			r.EvalSourcedInput++
		}
	}

	if err := stopped(ctx); err != nil {
		return err
	}
	checked, dropped := t.dropLeaks()
	r.LeaksDropped, r.Leaks = dropped, leakReport(&p.a.leaks, checked, dropped)
	k := kWay(t.incoming())
	r.countOverlong(t)
	r.TextGates = t.textGates(o.TextGates)
	r.Gates = t.dropByRow(r.TextGates.Applied)
	r.AfterGates = t.left()
	before := t.counts()
	if !o.KeepDuplicate && r.TextGates.Applied {
		r.Duplicates = t.dropDuplicates()
	}
	if o.Truncated == DropTruncated {
		r.TruncatedDropped = t.dropTruncated()
	}
	_, r.Unanimous = t.dropUnanimous(2)
	r.Collapsed = t.dropCollapsed(before)
	r.Unanimous += r.Collapsed
	if !o.IgnoreBand {
		trim := t.dropOutOfBand(o.Band, 2)
		r.BandDropped = BandSides{trim.easy, trim.hard}
		r.BandTasksDropped = trim.easy + trim.hard
	}
	r.AfterTrim = t.left()
	if err := stopped(ctx); err != nil {
		return err
	}

	kinds := rankByKind(t.survivors(o.Band, o.Order, &p.a.tasks), p.a.faults.texts, o.Order)
	for _, k := range kinds {
		r.FaultKinds = append(r.FaultKinds, KindCount{k.name, len(k.tasks)})
	}
	tasks, rows := t.draw(kinds, p.a.o.Target)
	p.order = rows
	r.sumUp(t, tasks, rows, p.scores)
	r.find(tasks, p.scores, k)
	return nil
}

// countOverlong counts the replies that are marked as overlong.
func (r *RLReport) countOverlong(t *table) {
	for _, s := range t.alive {
		switch {
		case t.rides(s):
			r.TruncatedKept++
		case t.penalized(s):
			r.TruncatedPenalized++
		}
	}
}

// sumUp measures what was selected.
func (r *RLReport) sumUp(t *table, tasks, rows []uint32, incoming []score) {
	r.Selected, r.Tasks = len(rows), len(tasks)
	r.Length = t.lengthsOf(rows)
	now := make([]score, t.tasks)
	for _, i := range rows {
		s := t.rows.at(int(i))
		if pass, ok := t.label(s); ok {
			now[s.task].add(pass)
		}
		if s.marks.has(markEval) {
			r.EvalSourced++
		}
		if t.rides(s) || t.penalized(s) {
			r.TruncatedSelected++
		}
		if incoming[s.task].n > 0 {
			r.Calibration.Stamped++
		}
	}
	selected := make([]score, len(tasks))
	r.Calibration.List = []Difficulty{}
	rank := 0
	for i, task := range tasks {
		for i > 0 && t.rows.at(int(rows[rank])).task != task {
			rank++
		}
		selected[i] = now[task]
		if s := incoming[task]; s.n > 0 && len(r.Calibration.List) < MaxDifficulties {
			d := difficultyOf(s)
			d.rank = rank
			r.Calibration.List = append(r.Calibration.List, d)
		}
	}
	r.Calibration.Rows = len(rows)
	for _, s := range incoming {
		if s.n > 0 {
			r.Calibration.Tasks++
		}
	}
	r.Signal = signalOf(selected, r.Band)
	r.After = histogramOf(selected)
}

// priorReport sums up an earlier round, nil for none.
func priorReport(o RLOptions, rows int) *PriorReport {
	if o.Prior == nil {
		return nil
	}
	round := o.Prior.Round(o.Band)
	return &PriorReport{
		Kept: round.Kept, DroppedSolved: round.DroppedSolved, DroppedUnsolved: round.DroppedUnsolved, Unknown: round.Unknown,
		FromPolicy: round.FromPolicy, RowsDropped: rows, PromptSetSHA: round.PromptSetSHA,
	}
}
