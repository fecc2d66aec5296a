package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ClusterReport is a mean over rollouts whose standard error knows that the
// rollouts of one task are not independent.
type ClusterReport struct {
	Mean         Null[float64]  `json:"mean"` // over rows, not over tasks
	SE           Null[float64]  `json:"se_cluster_robust"`
	NaiveSE      Null[float64]  `json:"se_independent"` // what independent rows would have
	DesignEffect Null[float64]  `json:"design_effect"`  // (SE/NaiveSE)^2
	CI95         Null[Interval] `json:"ci95"`           // Student t with tasks-1 degrees of freedom
	Tasks        int            `json:"n_tasks"`
	Rows         int            `json:"n_rows"`
}

// ClusterRobust is the mean over all rows of a metric with the cluster-robust
// standard error, clusters being tasks: sqrt of the sum over tasks of the
// squared sum of residuals, over the number of rows (Miller 2024,
// arXiv:2411.00640, section 2.2; Liang and Zeger 1986). It takes 0/1 verdicts,
// since the naive error is that of a share. Level 0 is 0.95.
func ClusterRobust(tasks []Task, level float64) ClusterReport {
	if level == 0 {
		level = DefaultLevel
	}
	var r ClusterReport
	passes := 0
	for _, t := range tasks {
		if t.N > 0 {
			r.Tasks++
			r.Rows += t.N
			passes += t.Passes
		}
	}
	if r.Rows == 0 {
		return r
	}
	n := float64(r.Rows)
	mean, sum := float64(passes)/n, 0.0
	for _, t := range tasks {
		residual := float64(t.Passes) - float64(float64(t.N)*mean)
		sum += float64(residual * residual)
	}
	r.Mean, r.SE = Of(mean), Of(math.Sqrt(sum)/n)
	r.NaiveSE = Of(math.Sqrt(mean * (1 - mean) / n))
	if r.NaiveSE.V > 0 {
		d := r.SE.V / r.NaiveSE.V
		r.DesignEffect = Of(d * d)
	}
	if r.Tasks >= 2 {
		half := distuv.StudentsT{Sigma: 1, Nu: float64(r.Tasks - 1)}.Quantile((1+level)/2) * r.SE.V
		r.CI95 = Of(Interval{Low: mean - half, High: mean + half})
	}
	return r
}

// StandardError is the standard deviation of the values over the root of their
// number: of one value a task, the standard error of their mean. Absent under
// two values.
func StandardError(values []float64) Null[float64] {
	sd := SampleSD(values)
	if !sd.Valid {
		return sd
	}
	return Of(sd.V / math.Sqrt(float64(len(values))))
}

// String prints the mean with its error and what independence would have
// claimed.
func (r ClusterReport) String() string {
	s := "mean " + fixed(r.Mean, 4)
	if r.CI95.Valid {
		s += " [" + band(r.CI95, 4, fixed) + "]"
	}
	return s + fmt.Sprintf(", standard error %s over %d tasks (%s if %d rows were independent, design effect %s)",
		fixed(r.SE, 4), r.Tasks, fixed(r.NaiveSE, 4), r.Rows, fixed(r.DesignEffect, 2))
}
