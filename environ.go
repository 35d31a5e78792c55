package agenthooks

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/environ"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/spec"
)

// inherited returns the environment without agent-hooks' own variables, the
// absolute entries of PATH, and AGENT_HOOKS_DEPTH.
func inherited(environ []string) (rest []string, path string, depth int) {
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		switch upper := strings.ToUpper(name); {
		case upper == "AGENT_HOOKS_DEPTH":
			depth, _ = strconv.Atoi(value)
		case strings.HasPrefix(upper, "AGENT_HOOKS_"):
		case upper == "PATH":
			separator := string(os.PathListSeparator)
			isRelative := func(entry string) bool { return !filepath.IsAbs(strings.Trim(entry, `"`)) } // or empty
			path = strings.Join(slices.DeleteFunc(strings.Split(value, separator), isRelative), separator)
			fallthrough
		default:
			rest = append(rest, kv)
		}
	}
	return slices.Clip(rest), path, max(depth, 0)
}

// clean returns a function that returns the environment that hooks inherit (D89).
// It cleans the environment on the first call.
func (p *Plan) clean() func() *environ.Cleaned {
	return sync.OnceValue(func() *environ.Cleaned {
		h := p.hooks
		if h.config == nil {
			return &environ.Cleaned{} // nothing was loaded, and nothing runs
		}
		return environ.Clean(h.environ, environ.Where{
			Project: func() []string { return append([]string{h.Project.Root, p.WorkDir}, h.around()...) },
			Homes:   func() []string { return []string{h.in.account(), h.in.Home} },
			Keep:    h.configuration().Environment(),
			// Variables that agent-hooks, the shell, the host or the calling agent sets.
			Sets: slices.Concat([]string{"PWD", "OLDPWD"}, h.given, h.in.Agent.variables(), h.in.Agent.Sets),
			Root: os.Geteuid() == 0,
		})
	})
}

// Outside returns the environment for programs that are not hooks, such as git or a
// shell: without what leads into the project, or makes a program run other code
// (D101).
func (o Options) Outside() []string {
	l := o.complete().locate()
	found, _ := l.search.FindProject(l.Home, nil)
	h := &Hooks{config: l.userConfig()}
	h.environ, _, _ = inherited(l.Environ)
	l.Agent = Agent{} // any
	h.serve(l, found, nil)
	p := &Plan{hooks: h, WorkDir: l.Dir}
	return p.clean()().Outside()
}

// path returns PATH as a hook inherits it.
func (p *Plan) path(hook *discovery.Hook) string {
	if isManaged(hook) {
		return place.SystemPath()
	}
	return p.cleaned().Path(isProjects(hook))
}

func isProjects(hook *discovery.Hook) bool { return hook.Scope == discovery.ProjectScope }

// inherited returns the environment of a hook's process without the hook's own
// variables.
func (p *Plan) inherited(hook *discovery.Hook) []string {
	if isManaged(hook) {
		return environ.Managed(p.hooks.environ, p.hooks.ofHook(hook).Environment())
	}
	return p.cleaned().Environ(isProjects(hook))
}

// environ returns the environment of a hook's process.
func (r *runner) environ(t *attempt) []string {
	inherited := r.plan.inherited(t.row.Hook)
	switch {
	case t.foreign == nil:
		return slices.Concat(inherited, r.variables(t))
	case t.foreign.Reads().Own: // variables set by the agent itself take precedence
		return slices.Concat(t.foreign.Reads().Environ, inherited, r.variables(t))
	}
	return slices.Concat(inherited, t.foreign.Reads().Environ, r.variables(t))
}

// variables returns the AGENT_HOOKS_ variables for one hook (D22). A value that
// is too large or that an environment cannot hold is omitted with a warning.
func (r *runner) variables(t *attempt) (vars []string) {
	config := r.plan.hooks.in.ConfigDir
	if isManaged(t.row.Hook) { // a judge reads the managed hooks.toml
		config = filepath.Dir(filepath.Dir(place.ManagedHooks()))
	}
	for _, v := range []struct{ name, value string }{
		{"AGENT_HOOKS_EVENT", string(r.plan.Event.Type)},
		{"AGENT_HOOKS_HOOK", t.row.Hook.Folder},
		{"AGENT_HOOKS_HOOK_DIR", t.row.Hook.Dir},
		{"AGENT_HOOKS_PROJECT_DIR", r.plan.hooks.Project.Root},
		{"AGENT_HOOKS_WORK_DIR", r.plan.WorkDir},
		{"AGENT_HOOKS_SESSION_ID", r.plan.Event.SessionID},
		{"AGENT_HOOKS_AGENT", r.plan.hooks.in.Agent.Name},
		{"AGENT_HOOKS_DEPTH", strconv.Itoa(r.plan.hooks.depth + 1)},
		{"AGENT_HOOKS_PROGRAM", r.plan.hooks.in.Program},
		{"AGENT_HOOKS_CONFIG_DIR", config},
	} {
		switch {
		case v.value == "" && (v.name == "AGENT_HOOKS_PROGRAM" || v.name == "AGENT_HOOKS_CONFIG_DIR"):
		case strings.ContainsRune(v.value, 0):
			t.report.warnf("%s is omitted: its value has a NUL byte", v.name)
		case len(v.value) > spec.MaxEnvValue:
			t.report.warnf("%s is omitted: its value is above 4 KiB", v.name)
		default:
			vars = append(vars, v.name+"="+v.value)
		}
	}
	if runtime.GOOS == "windows" { // otherwise, a program's name means a file of the project first
		vars = append(vars, "NoDefaultCurrentDirectoryInExePath=1")
	}
	return append(vars, "PWD="+r.plan.WorkDir)
}

// Cleaned describes what hooks do not inherit of the caller's environment,
// because it would make programs run the project's files or not do their work
// (D89), one line each.
func (p *Plan) Cleaned() []string { return p.cleaned().Notes() }

// explained adds to a failure what the hook did not inherit, if that could explain
// it (D89).
func (p *Plan) explained(row *Row, cause error) error {
	if why := p.why(row, cause.Error()); why != "" {
		return &explainedError{cause, why}
	}
	return cause
}

// why returns what the hook did not inherit, if that could explain its failure.
func (p *Plan) why(row *Row, failure string) string {
	if isManaged(row.Hook) {
		return ""
	}
	return p.cleaned().Explain(func() environ.Failure {
		program, script := row.entry.Program()
		return environ.Failure{
			Project: isProjects(row.Hook), Program: program, Text: failure + "\n" + script,
			Missing: program == "" || strings.Contains(failure, "not found") || strings.Contains(failure, "exit status 127"),
		}
	})
}

// explainedError is a failure with what could explain it.
type explainedError struct {
	error
	why string
}

func (e *explainedError) Error() string { return e.error.Error() + " (" + e.why + ")" }

func (e *explainedError) Unwrap() error { return e.error }
