package config

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// Policy is [policy] of a project's or of the managed file: what update --check requires. No run
// reads it (D108).
type Policy struct {
	Require []string // names of hooks that must be there as hooks.lock says; in NFKC
	Version string   // the least version of the program; "" for any
}

// Policy returns the file's policy.
func (f *File) Policy() Policy {
	if f == nil {
		return Policy{}
	}
	return f.policy
}

func (r *reader) policy(n *tree.Node) {
	if r.file.Scope == discovery.UserScope {
		r.report("config-key", n.Begin, `"policy" is ignored in your file; a project's and the managed file can set it`)
		return
	}
	require := func(n *tree.Node) {
		for _, name := range r.names(n, "require", "hook", func(string) bool { return true }) {
			r.file.policy.Require = append(r.file.policy.Require, norm.NFKC.String(name))
		}
	}
	r.table(n, "policy", readers{"require": require, "version": func(n *tree.Node) {
		text, _ := stringOf(n)
		if text == "" || strings.Trim(text, "0123456789.") != "" {
			r.bad(n, "version", "a version in quotes, such as \"1.2.0\"")
			text = "unknown" // which no program has
		}
		r.file.policy.Version = text
	}})
}

// InstallHint returns how a project's file says to install the program (20.19); "" if it does not.
func (f *File) InstallHint() string {
	if f == nil {
		return ""
	}
	return f.hint
}

// hintCharacters are those that no shell and no settings file interprets in quotes.
const hintCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;/@+=_()-"

func (r *reader) install(n *tree.Node) {
	if r.file.Scope != discovery.ProjectScope {
		r.report("config-key", n.Begin, `"install" is ignored here; only a project's file can set it`)
		return
	}
	r.table(n, "install", readers{"hint": func(n *tree.Node) {
		text, _ := stringOf(n)
		if text == "" || len(text) > 200 || strings.Trim(text, hintCharacters) != "" || strings.Contains(text, "://") {
			r.bad(n, "hint", "one line of at most 200 letters, digits, spaces and .,:;/@+=_()-, without ://")
			return
		}
		r.file.hint = text
	}})
}
