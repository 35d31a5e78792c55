package main

import (
	"cmp"
	"flag"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

type untrustFlags struct {
	hook       string
	everywhere bool
	dryRun     bool
}

func (f *untrustFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.hook, "hook", "", "stop trusting only `HOOK`")
	fs.BoolVar(&f.everywhere, "everywhere", false, "undo trust --everywhere, in every project")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show what would be done, but do nothing")
}

// execute is `agent-hooks untrust [DIR]` (D40). The exit status is 1 if nothing was
// trusted, or if not all of the trust could be revoked.
func (flags untrustFlags) execute(env *Env, args []string) (int, error) {
	store, err := trust.Open(env.trustDir())
	if err != nil {
		return 0, err
	}
	trusted := env.trustedAt(store, args, flags)
	if trusted.Empty() {
		if flags.hook != "" {
			return 0, fmt.Errorf("untrust: hook %q is not trusted here (agent-hooks trust --list shows what is)", flags.hook)
		}
		return 0, fmt.Errorf("untrust: nothing is trusted here (agent-hooks trust --list shows what is)")
	}
	for _, err := range trusted.Damaged {
		env.warn("%v; its whole content is removed", err)
	}
	if flags.dryRun {
		return spec.ExitContinue, env.printContents("would no longer be trusted", trusted)
	}
	written, err := store.Revoke(trusted)
	env.printChanged("changed", written)
	if err != nil {
		return 0, err
	}
	return spec.ExitContinue, env.printContents("no longer trusted", trusted)
}

func (env *Env) printContents(what string, trusted *trust.Trusted) error {
	var b strings.Builder
	for _, c := range trusted.Contents {
		b.WriteString(env.paragraph(env.Stdout, 2, fmt.Sprintf("%s: hook %s, %s", what, term.Printable(c.Name), c.Digest[:12])))
	}
	return env.print(b.String())
}

// trustedAt finds the trusted contents of the project in DIR, which need not exist any more, or
// of the current project.
func (env *Env) trustedAt(store *trust.Store, args []string, flags untrustFlags) *trust.Trusted {
	var match func(string) bool
	if flags.hook != "" {
		match = func(name string) bool {
			return name == flags.hook || norm.NFKC.String(name) == norm.NFKC.String(flags.hook)
		}
	}
	if flags.everywhere {
		return store.TrustedEverywhere(match)
	}
	if len(args) == 1 {
		return store.Trusted(env.absolute(args[0]), env.home(), match)
	}
	start := cmp.Or(env.load(projectFlags{}, nil).Project.Start, env.Dir)
	return store.Trusted(start, env.home(), match)
}
