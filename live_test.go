package agenthooks_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
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

// TestLivePause checks that hooks that are kept run again when a pause ends.
func TestLivePause(t *testing.T) {
	s := newScratch(t)
	s.userHook("guard", "exit 0")
	end := time.Now().Add(200 * time.Millisecond)
	text := "[[hooks.disable]]\nname = 'guard'\nuntil = " + end.Format(time.RFC3339Nano) + "\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(s.user), "hooks.toml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	live := agenthooks.NewLive(s.options)
	defer live.Close()
	state := func() discovery.State { return live.Load(s.options).Table["pre-tool-call"][0].State }
	if got := state(); got != discovery.Disabled && time.Now().Before(end) {
		t.Errorf("before the end it is %s", got)
	}
	live.Settle(s.options)
	time.Sleep(time.Until(end))
	if got := state(); got != discovery.Active {
		t.Errorf("after the end it is %s", got)
	}
}
