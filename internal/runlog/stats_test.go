package runlog

import "testing"

func TestPercentile(t *testing.T) {
	if got := percentile(nil, 0.5); got != nil {
		t.Errorf("of nothing: %v", *got)
	}
	var values []float64
	for i := range 20 {
		values = append(values, float64(i+1))
	}
	for share, want := range map[float64]float64{0.5: 10, 0.95: 19, 1: 20, 0.001: 1} {
		if got := *percentile(values, share); got != want {
			t.Errorf("%v: got %v, want %v", share, got, want)
		}
	}
}
