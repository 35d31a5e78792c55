package cases

import (
	"context"
	"sync"
)

// RunAll runs the cases, at most workers at once, and calls done with each result in the order
// of the cases, as soon as it and all earlier results are available. When ctx ends, unfinished
// cases are Stopped. Calls of done are never concurrent; done must not wait for RunAll.
func RunAll(ctx context.Context, cases []*Case, environ []string, workers int, done func(*Result)) {
	order := ordered{results: make([]*Result, len(cases)), done: done}
	next := make(chan int)
	var group sync.WaitGroup
	for range min(max(workers, 1), len(cases)) {
		group.Go(func() {
			for i := range next {
				order.add(i, cases[i].Run(ctx, environ))
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	group.Wait()
}

// ordered delivers results in order.
type ordered struct {
	mu      sync.Mutex
	results []*Result
	out     int // how many have been delivered
	done    func(*Result)
}

func (o *ordered) add(i int, r *Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.results[i] = r
	for o.out < len(o.results) && o.results[o.out] != nil {
		o.done(o.results[o.out])
		o.results[o.out] = nil
		o.out++
	}
}
