package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/e2e/model"
)

// showNative runs one conversation per client with a hook in the client's own format, and
// prints the requests to the model.
func (o options) showNative(ctx context.Context, cache string, list []client) error {
	for _, c := range list {
		folder := filepath.Join(cache, "runs", c.name, "native")
		command := strings.ReplaceAll(o.command, "$LOG", filepath.Join(folder, "log"))
		sc := scenario{
			name: "native", native: native{o.native, command}, ask: o.ask,
			script: append(conversation(), model.Step{Say: "done again"}),
		}
		s, err := conduct(ctx, newRun(cache, c, sc, folder), sc)
		if err != nil {
			return err
		}
		fmt.Printf("== %s: tool ran: %v, changed: %v, requests: %d\n", c.name, s.left(ranFile), s.left(changedFile), len(s.requests))
		fmt.Println(readText(filepath.Join(s.log(), "native.jsonl")))
		for _, o := range s.outcomes {
			fmt.Printf("-- %s: status %d, %.1f s\n%s%s\n", o.Name, o.Status, o.Seconds, o.Stdout, o.Stderr)
		}
		fmt.Printf("   the tool's output reaches the model: %v\n", s.everReached("from-the-tool"))
		for _, line := range s.reached("TOKEN") {
			fmt.Printf("   model: %s\n", line)
		}
	}
	return nil
}
