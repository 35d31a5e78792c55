package main

import (
	"fmt"
	"slices"
	"time"
)

// median returns the middle value, or the mean of the middle two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// medians returns the median of each name's values.
func medians(lists map[string][]float64) map[string]float64 {
	all := map[string]float64{}
	for name, list := range lists {
		all[name] = median(list)
	}
	return all
}

func milliseconds(times []time.Duration) float64 {
	values := make([]float64, len(times))
	for i, t := range times {
		values[i] = t.Seconds() * 1000
	}
	return median(values)
}

// added returns the median of the rounds' differences, in milliseconds.
func added(times, to []time.Duration) float64 {
	values := make([]float64, len(times))
	for i := range times {
		values[i] = (times[i] - to[i]).Seconds() * 1000
	}
	return median(values)
}

// ratio returns the median of the rounds' ratios.
func ratio(times, to []time.Duration) float64 { return median(ratios(times, to)) }

func ratios(times, to []time.Duration) []float64 {
	values := make([]float64, len(times))
	for i := range times {
		values[i] = float64(times[i]) / float64(to[i])
	}
	return values
}

// quartiles formats the range of the middle half of values.
func quartiles(values []float64) string {
	sorted := slices.Sorted(slices.Values(values))
	last := len(sorted) - 1
	return fmt.Sprintf("%.2f to %.2f", sorted[(last+2)/4], sorted[(3*last+2)/4])
}
