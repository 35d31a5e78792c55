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
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type replayFlags struct {
	from             []string
	all, allHooks    bool
	since            time.Time
	hook             string
	with, html, save string
	yes              bool
	formatFlag
}

func (f *replayFlags) declare(fs *flag.FlagSet) {
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
	fs.StringVar(&f.hook, "hook", "", "run only `HOOK`")
	f.formatFlag.declare(fs)
}

func (f *replayFlags) check() error {
	isID := len(f.save) >= 8 && len(f.save) <= 64 && strings.Trim(f.save, "0123456789abcdef") == "" // more digits than shown if two calls share them
	switch {
	case f.save == "" && f.yes:
		return usagef("agent-hooks help replay", "replay: --yes is for --save")
	case f.save != "" && !isID:
		return usagef("agent-hooks replay --all shows calls with their IDs", "replay: --save %q is not the ID of a call", f.save)
	case f.save != "" && (f.html != "" || f.format != ""):
		return usagef("agent-hooks help replay", "replay: --save excludes --html, --format and --json")
	}
	return nil
}

// execute is `agent-hooks replay [--from AGENT|FILE ...]`: it shows what the hooks would have done on
// the calls in the agents' transcripts, or in files of events.
func (flags replayFlags) execute(env *Env, args []string) (int, error) {
	o, err := flags.options(env, args)
	if err == nil {
		err = checkPage(env, flags.html)
	}
	if err != nil {
		return 0, err
	}
	// A run that a person stopped shows what is known so far.
	return spec.ExitContinue, env.untilEnd(func(ctx context.Context) error {
		s, err := env.runPast(ctx, o)
		switch {
		case err != nil:
			return err
		case !slices.ContainsFunc(s.Agents, func(a *past.Agent) bool { return len(a.Folders) > 0 }):
			var folders []string
			for _, a := range o.Agents {
				folders = append(folders, past.Folders(a)...)
			}
			return usagef("looked in "+strings.Join(folders, ", ")+"; --from FILE reads events, one in each line", "replay: no transcripts of %s", titles(o.Agents))
		case flags.save != "" && s.Stopped:
			return errors.New("replay: stopped; nothing was written")
		case flags.save != "" && len(s.Found) == 0:
			_, err := flags.foundCall(o, s)
			return err
		case flags.hook != "" && len(s.Hooks)+len(s.NotRun) == 0 && s.Calls > 0:
			var names []string
			for _, h := range env.hooks().Table[spec.PreToolCall] {
				names = append(names, h.Shown())
			}
			return usagef(shown.Hint("agent-hooks list shows the hooks", "--hook %s", flags.hook, names), "replay: there is no hook %q on pre-tool-call", flags.hook)
		case flags.save != "":
			return flags.saveCall(ctx, env, o, s)
		}
		return env.printPast(flags, s)
	})
}

// runPast runs hooks on past calls. Meanwhile it prints how far it is: in a temporary line if the
// terminal supports it, otherwise in a new line from time to time.
func (env *Env) runPast(ctx context.Context, o past.Options) (*past.Summary, error) {
	line, began, noted := statusLine{env: env, out: env.Stderr}, time.Now(), time.Time{}
	defer line.erase()
	o.Tick = func(p past.Progress) {
		text := term.Plural(int(p.Calls), "call")
		if p.All > 0 {
			text += fmt.Sprintf(", %d %% of the transcripts", min(100, p.Bytes*100/p.All))
		}
		if line.supported() {
			line.show(text)
		} else if time.Since(began) >= 2*time.Second && time.Since(noted) >= 5*time.Second {
			noted = time.Now()
			env.note("%s", text)
		}
	}
	return past.Run(ctx, o)
}

// projectDir returns --project as an absolute path; "" if it is not set.
func (env *Env) projectDir() string {
	if env.project == "" {
		return ""
	}
	return filepath.Clean(env.absolute(env.project))
}

func titles(agents []*agent.Agent) string {
	var names []string
	for _, a := range agents {
		names = append(names, a.Title)
	}
	return strings.Join(names, ", ")
}

// options returns the options of a replay: the agents whose transcripts are read, and the files of
// events. Without a source, and with --all, all agents are read. Hooks of a project run only if the user
// has reviewed them, whatever hooks.toml says: they get the whole history.
func (f *replayFlags) options(env *Env, more []string) (past.Options, error) {
	nowhere := filepath.VolumeName(env.home()) + string(filepath.Separator)
	o := past.Options{
		Home: env.home(), Getenv: env.Getenv, Since: f.since, Hook: f.hook, Call: f.save, Project: env.projectDir(), AllHooks: f.allHooks, Environ: env.Environ,
		Load: func(dir string) *agenthooks.Hooks {
			o := env.options(nil)
			o.Project, o.TrustProject = cmp.Or(dir, nowhere), false
			return agenthooks.Load(o)
		},
	}
	var readable []string
	names := slices.Concat(f.from, more)
	for _, a := range agent.All() {
		if past.Folders(a) != nil {
			readable = append(readable, a.Name)
			if f.all || len(names) == 0 {
				o.Agents = append(o.Agents, a)
			}
		}
	}
	for _, name := range names {
		a := agent.Find(name)
		switch {
		case a == nil && strings.ContainsAny(name, `/\.`):
			if info, err := os.Stat(env.absolute(name)); err != nil || !info.Mode().IsRegular() {
				return o, usagef("agent-hooks help replay", "replay: there is no file %q", name)
			}
			o.Files = append(o.Files, env.absolute(name))
		case a == nil:
			return o, usagef(shown.Hint("agent-hooks replay --all", "--from %s", name, readable), "replay: unknown agent %q", name)
		case past.Folders(a) == nil:
			return o, usagef("agent-hooks help replay", "replay: transcripts of %s cannot be read; those of %s can", a.Title, strings.Join(readable, ", "))
		case !slices.Contains(o.Agents, a):
			o.Agents = append(o.Agents, a)
		}
	}
	var err error
	if f.with != "" {
		o.With, err = env.tried(f.with)
	}
	return o, err
}

// tried returns the hooks in a directory of hooks, in a project, or the one in a hook's folder.
func (env *Env) tried(name string) (discovery.Table, error) {
	finder := suite.Finder{Command: "replay --all --with", Dir: env.Dir}
	found, err := finder.Find(name)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	for _, d := range found.Diagnostics {
		env.warn("%s", d)
	}
	hooks := slices.DeleteFunc(found.Hooks, func(h *discovery.Hook) bool { return h.Trigger != spec.PreToolCall })
	if len(hooks) == 0 {
		return nil, usagef("agent-hooks list", "replay: no hook in %q is for pre-tool-call, which is what transcripts contain", name)
	}
	return discovery.Table{spec.PreToolCall: hooks}, nil
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
		if text, err := os.ReadFile(path); err == nil && strings.HasPrefix(string(text), pageMark) {
			return nil
		}
	}
	return usagef("choose another FILE", "replay: %q exists and is not a report; it is not replaced", name)
}
