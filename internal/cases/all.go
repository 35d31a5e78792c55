package cases

import "context"

// RunAll runs the cases, at most workers at once, and calls done with each result in the order
// of the cases, as soon as it and all earlier results are available. When ctx ends, unfinished
// cases are Stopped.
func RunAll(ctx context.Context, cases []*Case, environ []string, workers int, done func(*Result)) {
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
	for _, result := range results {
		done(<-result)
	}
}
