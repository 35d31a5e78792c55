package cases

import (
	"context"
	"iter"
)

// RunAll runs the cases, at most workers at a time. It yields the results in the order of the
// cases, each as soon as possible. When ctx ends, unfinished cases are Stopped.
func RunAll(ctx context.Context, cases []*Case, environ []string, workers int) iter.Seq[*Result] {
	results := make([]chan *Result, len(cases))
	for i := range results {
		results[i] = make(chan *Result, 1)
	}
	slots := make(chan struct{}, max(workers, 1))
	go func() {
		for i, c := range cases {
			slots <- struct{}{}
			go func() {
				results[i] <- c.Run(ctx, environ)
				<-slots
			}()
		}
	}()
	return func(yield func(*Result) bool) {
		for _, result := range results {
			if !yield(<-result) {
				return
			}
		}
	}
}
