package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/author/past"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// pastFlags are the flags of replay that concern the transcripts of agents.
type pastFlags struct {
	from          []string
	all, allHooks bool
	since         time.Time
	with, html    string
	save          string
	yes           bool
}

func (f *pastFlags) declare(fs *flag.FlagSet) {
	fs.Func("from", "run the hooks on the tool calls in the transcripts of `AGENT`, or on events in a file, one in each line; default: all agents", func(names string) error {
		f.from = append(f.from, strings.Split(names, ",")...)
		return nil
	})
	fs.BoolVar(&f.all, "all", false, "every agent whose transcripts can be read")
	declareSince(fs, &f.since, "only calls since `TIME`, such as 30d (ago) or 2026-11-20")
	fs.StringVar(&f.with, "with", "", "compare the decisions with those when the hooks in `DIR` are installed too")
	fs.BoolVar(&f.allHooks, "all-hooks", false, "also run installed hooks that are not pure, in empty directories")
	fs.StringVar(&f.save, "save", "", "make a test case of the call `ID`, as a report shows it, with the hook's decision")
	fs.BoolVar(&f.yes, "yes", false, "with --save: write the test case without asking")
	fs.StringVar(&f.html, "html", "", "write the report to `FILE`, as a page for browsers")
}

func (f *pastFlags) check() error {
	switch {
	case f.save == "" && f.yes:
		return usagef("agent-hooks help replay", "replay: --yes is for --save")
	case f.save != "" && !isCallID(f.save):
		return usagef("agent-hooks replay --all shows calls with their IDs", "replay: --save %q is not the ID of a call", f.save)
	case f.save != "" && f.html != "":
		return usagef("agent-hooks help replay", "replay: --save and --html exclude each other")
	}
	return nil
}

// sources returns the agents whose transcripts are read, and the files of events. Without a source,
// and with --all, all agents are read.
func (f *pastFlags) sources(env *Env, more []string) (agents []*agent.Agent, files []string, err error) {
	var readable []string
	names := slices.Concat(f.from, more)
	for _, a := range agent.All() {
		if past.Folders(a) != nil {
			readable = append(readable, a.Name)
			if f.all || len(names) == 0 {
				agents = append(agents, a)
			}
		}
	}
	for _, name := range names {
		a := agent.Find(name)
		switch {
		case a == nil && strings.ContainsAny(name, `/\.`):
			if info, err := os.Stat(env.absolute(name)); err != nil || !info.Mode().IsRegular() {
				return nil, nil, usagef("agent-hooks help replay", "replay: there is no file %q", name)
			}
			files = append(files, env.absolute(name))
		case a == nil:
			return nil, nil, usagef(shown.Hint("agent-hooks replay --all", "--from %s", name, readable), "replay: unknown agent %q", name)
		case past.Folders(a) == nil:
			return nil, nil, usagef("agent-hooks help replay", "replay: transcripts of %s cannot be read; those of %s can", a.Title, strings.Join(readable, ", "))
		case !slices.Contains(agents, a):
			agents = append(agents, a)
		}
	}
	return agents, files, nil
}

// execute is `agent-hooks replay [--from AGENT|FILE ...]`: it shows what the hooks would have done on
// the calls in the agents' transcripts, or in files of events.
func (flags replayFlags) execute(env *Env, args []string) (int, error) {
	o, err := flags.pastOptions(env, args)
	if err != nil {
		return 0, err
	}
	if err := checkPage(env, flags.html); err != nil {
		return 0, err
	}
	progress := env.newProgress()
	o.Every = env.progressEvery()
	o.Tick = func(p past.Progress) { progress.print(pastProgress(p)) }
	// A run that a person stopped shows what is known so far.
	return spec.ExitContinue, env.untilEnd(func(ctx context.Context) error {
		s, err := past.Run(ctx, o)
		progress.line.erase()
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(s.Agents, func(a *past.Agent) bool { return len(a.Folders) > 0 }) {
			return usagef("looked in "+strings.Join(folders(o.Agents), ", ")+"; --from FILE reads events, one in each line", "replay: no transcripts of %s", titles(o.Agents))
		}
		if flags.save != "" && s.Stopped {
			return errors.New("replay: stopped; nothing was written")
		}
		if flags.save != "" && len(s.Found) == 0 {
			_, err := flags.foundCall(o, s)
			return err
		}
		if flags.hook != "" && len(s.Hooks)+len(s.NotRun) == 0 && s.Calls > 0 {
			hooks := env.hooks().Table[spec.PreToolCall]
			var names []string
			for _, h := range hooks {
				names = append(names, h.Shown())
			}
			return usagef(shown.Hint("agent-hooks list shows the hooks", "--hook %s", flags.hook, names), "replay: there is no hook %q on pre-tool-call", flags.hook)
		}
		if flags.save != "" {
			return flags.saveCall(ctx, env, o, s)
		}
		return env.printPast(flags, s)
	})
}

// folders returns where the agents keep their transcripts.
func folders(agents []*agent.Agent) (all []string) {
	for _, a := range agents {
		all = append(all, past.Folders(a)...)
	}
	return all
}

func titles(agents []*agent.Agent) string {
	var names []string
	for _, a := range agents {
		names = append(names, a.Title)
	}
	return strings.Join(names, ", ")
}

func (flags replayFlags) pastOptions(env *Env, args []string) (past.Options, error) {
	agents, files, err := flags.sources(env, args)
	if err != nil {
		return past.Options{}, err
	}
	o := past.Options{
		Agents: agents, Files: files, Home: env.home(), Getenv: env.Getenv, Since: flags.since, Hook: flags.hook, Call: flags.save, Project: env.projectDir(),
		AllHooks: flags.allHooks, Environ: env.Environ, Load: flags.loader(env),
	}
	if flags.with != "" {
		o.With, err = env.tried(flags.with)
	}
	return o, err
}

// loader returns the function that loads the hooks for a directory. Hooks of a project run only if
// the user has reviewed them, whatever hooks.toml says: they get the whole history.
func (flags replayFlags) loader(env *Env) func(string) *agenthooks.Hooks {
	nowhere := filepath.VolumeName(env.home()) + string(filepath.Separator)
	return func(dir string) *agenthooks.Hooks {
		o := env.options(nil)
		o.Project, o.TrustProject, o.NoLog = cmp.Or(dir, nowhere), false, true
		return agenthooks.Load(o)
	}
}

// tried returns the hooks in a directory of hooks, in a project, or the one in a hook's folder.
func (env *Env) tried(name string) (discovery.Table, error) {
	dir, only := filepath.Clean(env.absolute(name)), ""
	if !paths.IsFolder(dir) {
		return nil, usagef("agent-hooks replay --all --with DIR", "replay: %q is not a directory", name)
	}
	if _, err := os.Lstat(filepath.Join(dir, "HOOK.md")); err == nil {
		dir, only = filepath.Split(dir)
	} else if inside := filepath.Join(dir, ".agents", "hooks"); paths.IsFolder(inside) {
		dir = inside
	}
	found := discovery.Read(discovery.Dirs{Project: dir}, discovery.Limits{})
	table, diagnostics := found.Table(env.Getenv("PATH"), nil), found.Diagnostics
	for _, d := range diagnostics {
		env.warn("%s", d.String())
	}
	if only != "" {
		for event, hooks := range table {
			table[event] = slices.DeleteFunc(hooks, func(h *discovery.Hook) bool { return h.Folder != only })
		}
	}
	others := 0
	for event, hooks := range table {
		if event != spec.PreToolCall {
			others += len(hooks)
		}
	}
	switch {
	case len(table[spec.PreToolCall]) > 0:
	case others > 0:
		return nil, usagef("agent-hooks list", "replay: no hook in %q is for pre-tool-call, which is what transcripts contain", name)
	default:
		return nil, usagef("agent-hooks new NAME", "replay: no hooks in %q", name)
	}
	return table, nil
}

func pastProgress(p past.Progress) string {
	text := term.Plural(int(p.Calls), "call")
	if p.All > 0 {
		text += fmt.Sprintf(", %d %% of the transcripts", min(100, p.Bytes*100/p.All))
	}
	return text
}

// pageMark begins a page that this program wrote, which may therefore be replaced.
const pageMark = "<!doctype html>\n<!-- agent-hooks replay -->\n"

// checkPage returns an error if the report must not be written to a file: one that exists and is
// something else.
func checkPage(env *Env, name string) error {
	if name == "" {
		return nil
	}
	path := env.absolute(name)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode().IsRegular() {
		if f, err := os.Open(path); err == nil {
			defer f.Close()
			begin := make([]byte, len(pageMark))
			if n, _ := f.Read(begin); string(begin[:n]) == pageMark {
				return nil
			}
		}
	}
	return usagef("choose another FILE", "replay: %q exists and is not a report; it is not replaced", name)
}
