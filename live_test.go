package agenthooks_test

import (
	"context"
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
)

// TestLiveUntil checks that loading waits for the hooks of a project only until
// the request's time, that it then still has the user's hooks, and that another
// project is not delayed.
func TestLiveUntil(t *testing.T) {
	s, other := newScratch(t), newScratch(t)
	s.userHook("user", "exit 0")
	s.hook("project", "exit 0")
	other.hook("other", "exit 0")
	live := agenthooks.NewLive(s.options)
	defer live.Close()
	loaded := func(o agenthooks.Options) string {
		t.Helper()
		ctx, cancel := context.WithTimeout(s.Context(), 30*time.Second)
		defer cancel()
		names := make(chan string, 1)
		go func() {
			hooks := live.Load(o)
			var list []string
			for _, h := range hooks.Table["pre-tool-call"] {
				list = append(list, h.Folder)
			}
			for _, d := range hooks.Diagnostics {
				list = append(list, d.Code)
			}
			names <- strings.Join(list, " ")
		}()
		select {
		case found := <-names:
			return found
		case <-ctx.Done():
			return "nothing in time"
		}
	}
	soon := func() agenthooks.Options {
		return agenthooks.Options{Project: s.project, Until: time.Now().Add(50 * time.Millisecond)}
	}
	release := live.Hold(s.options)
	if got := loaded(soon()); got != "user scope-size" {
		t.Errorf("while reading takes long, loaded %q", got)
	}
	if got := loaded(agenthooks.Options{Project: other.project}); got != "user other" {
		t.Errorf("the other project loaded %q", got)
	}
	release()
	if got := loaded(agenthooks.Options{Project: s.project}); got != "user project" {
		t.Errorf("afterwards loaded %q", got)
	}
}
