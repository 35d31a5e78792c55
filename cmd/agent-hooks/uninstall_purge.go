package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/pack"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// remove removes, or names, the directories that remain without entries, and those above them in
// ~/.local that are empty. The user's own hooks are kept in any case.
func (in *installation) remove(s install.System, purge bool) {
	if hooks, _ := in.env.userHooks(); pathExists(hooks) {
		in.hooks(hooks, purge && !in.failed)
	}
	switch {
	case !pathExists(s.StateDir):
	case !purge:
		in.env.note("kept %s: the log and the reviewed copies of hooks; to remove them: agent-hooks uninstall --all --purge", in.env.tilde(s.StateDir))
	case in.failed:
		in.env.note("kept %s, because an agent may still have entries", in.env.tilde(s.StateDir))
	default:
		in.purge(s.StateDir)
	}
	for _, dir := range []string{s.DataDir, s.StateDir} {
		for !pathExists(dir) && paths.Contains(filepath.Join(s.Home, ".local"), filepath.Dir(dir)) {
			dir = filepath.Dir(dir)
			if state.RemoveEmpty(dir) != nil {
				break // others keep files in it
			}
		}
	}
}

// purge removes what agent-hooks keeps in its state directory, by name: a variable or an option may name
// another folder. Reviewed copies are read-only.
func (in *installation) purge(dir string) {
	for _, name := range []string{
		"runs.jsonl", "runs.1.jsonl", "runs.lock", "output", "stops", "session-facts", "session-facts.1", "calls", "sessions", "trust",
		"installed.json", "install.lock", "packs.lock",
	} {
		if err := state.Discard(filepath.Join(dir, name)); err != nil {
			in.failed = true
			in.env.say("error", term.Red, err.Error())
			return
		}
	}
	if err := state.RemoveEmpty(dir); err != nil {
		in.env.note("kept %s: it is a link, or contains files that are not known to agent-hooks", in.env.tilde(dir))
		return
	}
	in.env.out(2, term.Printable("removed "+dir))
}

// hooks names the user's hooks and configuration, which are kept. purge removes the examples that nobody
// has edited since setup or new wrote them: they are still in the program.
func (in *installation) hooks(dir string, purge bool) {
	own, _ := discovery.ReadScope(dir, discovery.UserScope)
	var kept, removed []string
	for _, h := range own {
		if purge && isExample(h) {
			if err := state.Discard(h.Dir); err != nil {
				in.failed = true
				in.env.say("error", term.Red, err.Error())
			} else {
				removed = append(removed, h.Shown())
				continue
			}
		}
		kept = append(kept, h.Shown())
	}
	above := filepath.Dir(dir)
	if len(removed) > 0 {
		in.env.out(2, fmt.Sprintf("removed %s that nobody has edited from %s", term.Plural(len(removed), "guard"), in.env.short(dir)))
		for empty := dir; paths.Contains(in.env.home(), filepath.Dir(empty)); empty = filepath.Dir(empty) {
			if state.RemoveEmpty(empty) != nil {
				break // it has something of the user's
			}
		}
	}
	if len(kept) > 0 {
		in.env.note("kept %s: your hooks %s; delete that folder to remove them", in.env.short(dir), strings.Join(kept, ", "))
	}
	for _, name := range []string{config.Name, pack.LockName} {
		if file := filepath.Join(above, name); purge && pathExists(file) {
			in.env.note("kept %s", in.env.tilde(file))
		}
	}
}

// isExample reports whether a hook's folder has the files of the example of its name, and nothing else.
func isExample(h *discovery.Hook) bool {
	want := examples.Files(h.Folder)
	f, err := trust.Read(h.Dir)
	if err != nil || len(want) == 0 {
		return false
	}
	return slices.EqualFunc(f.Files, want, func(is trust.File, was state.File) bool {
		return is.Path == was.Path && is.Link == "" && bytes.Equal(is.Data, was.Data)
	})
}

func pathExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
