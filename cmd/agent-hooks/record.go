package main

import (
	"flag"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

// recordFlags accepts the flags of earlier versions.
type recordFlags struct{ old bool }

func (f *recordFlags) declare(flags *flag.FlagSet) {
	for _, name := range []string{"on", "off", "clear", "list", "yes", "dry-run", "json"} {
		flags.BoolVar(&f.old, name, false, "of earlier versions")
	}
}

// execute is `agent-hooks record`, which was replaced (D80). It names the replacement, and what
// earlier versions stored, which nothing reads or deletes.
func (recordFlags) execute(env *Env, _ []string) (int, error) {
	if dir := filepath.Join(env.state(), "events"); isDir(dir) {
		env.note("events that earlier versions stored are in %s; nothing reads or deletes them", term.Printable(dir))
	}
	return 0, usagef("agent-hooks replay --from claude-code --since 30d",
		"record was replaced: replay --from AGENT reads what the agents recorded; for other agents, write enabled = true under [record] in your hooks.toml, and run agent-hooks replay")
}

// isEvents reports whether a directory entry may be an event.
func isEvents(e fs.DirEntry) bool {
	return e.Name()[0] != '.' && strings.HasSuffix(e.Name(), ".json") && !e.IsDir()
}
