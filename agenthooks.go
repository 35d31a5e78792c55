// Package agenthooks finds, matches and runs hooks written in the Agent Hooks
// format, for those who build coding agents in Go. The command agent-hooks is
// a thin layer over it.
//
// An agent does three things with it:
//
//	hooks := agenthooks.Load(options)            // find the hooks of user and project
//	plan := hooks.Plan(event)                    // which of them the event concerns, and why not the others
//	report := plan.Run(ctx, agenthooks.RunOptions{}) // run them; report.Blocked, report.Answer
//
// Planning runs nothing, so that it can be shown (why, --dry-run); running
// follows the plan. A hook that fails lets the operation go on unless it says
// otherwise (metadata.on-failure), and every failure stands in the report:
// nothing is switched off in silence.
//
// The parts are packages of their own: spec (the format as data), discovery
// (folders), manifest (HOOK.md), matcher, protocol (events and answers) and
// exec (processes).
package agenthooks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Options say where hooks are and what they inherit.
type Options struct {
	// UserHooks is the user's hooks directory (D1); "" for none. See
	// discovery.UserHooks.
	UserHooks string
	// Home is the user's home directory; "" if unknown. The search for the
	// project stops below it (D2).
	Home string
	// Roots are the directories from which the project may be searched, best
	// first; the first usable one counts (D2). See Roots.
	Roots []discovery.Candidate
	// Counts reports whether a project's .agents/hooks may hide outer ones;
	// nil: every one does (D2).
	Counts func(hooks string) bool
	// Missing returns trusted hooks that are not found in the project; nil:
	// there are none (D40).
	Missing func(discovery.Project) []*discovery.Hook
	// Rules decide about hooks besides their own folders: trust, hooks.toml.
	Rules discovery.Rules
	// Environ is what hooks inherit, as KEY=value; its AGENT_HOOKS_ variables
	// are replaced (D22). Interpreters are found by its PATH.
	Environ []string
	// Agent names the calling agent for hooks (AGENT_HOOKS_AGENT); "" if
	// unknown.
	Agent string
}

// Hooks are the hooks of a user and a project, in the order in which they
// run. They can be shared by goroutines.
type Hooks struct {
	Project     discovery.Project
	Table       discovery.Table
	Diagnostics []spec.Diagnostic // of the hooks directories themselves
	Warnings    []string          // of the search for the project

	environ []string // without AGENT_HOOKS_
	path    string   // PATH
	depth   int      // how many hooks up the process tree started agents (D22)
	agent   string
}

// Load finds the project and reads the hooks of both scopes. There is no
// error: what cannot be read is a diagnostic or a warning, and a hook that
// cannot run stays in the table with its cause (D5).
func Load(o Options) *Hooks {
	h := &Hooks{agent: o.Agent}
	h.environ, h.path, h.depth = inherited(o.Environ)
	h.Project, h.Warnings = discovery.FindProject(o.Roots, o.Home, o.Counts)
	if project := h.Project; o.Missing != nil {
		o.Rules.Missing = func() []*discovery.Hook { return o.Missing(project) }
	}
	h.Table, h.Diagnostics = discovery.Load(discovery.Dirs{User: o.UserHooks, Project: h.Project.Hooks}, h.path, o.Rules)
	return h
}

// hostVariables are the environment variables by which agents name the
// project, in the order in which they are believed (D2).
var hostVariables = [...]string{"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"}

// Roots returns the directories from which the project may be searched, best
// first (D2): project, if it is not ""; the host's own variables; what the
// event says; dir, the directory of the process. event may be nil.
func Roots(project string, getenv func(string) string, event *protocol.Event, dir string) []discovery.Candidate {
	var roots []discovery.Candidate
	if project != "" {
		roots = append(roots, discovery.Candidate{Source: "--project", Dir: project})
	}
	for _, name := range hostVariables {
		if value := getenv(name); value != "" {
			roots = append(roots, discovery.Candidate{Source: name, Dir: value})
		}
	}
	if event != nil {
		for _, r := range event.Roots {
			roots = append(roots, discovery.Candidate{Source: r.Key, Dir: r.Dir})
		}
	}
	return append(roots, discovery.Candidate{Source: "current directory", Dir: dir})
}

// inherited returns the environment without agent-hooks' own variables, and
// what it says of PATH and AGENT_HOOKS_DEPTH.
func inherited(environ []string) (rest []string, path string, depth int) {
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		switch upper := strings.ToUpper(name); {
		case upper == "AGENT_HOOKS_DEPTH":
			depth, _ = strconv.Atoi(value)
		case strings.HasPrefix(upper, "AGENT_HOOKS_"):
		case upper == "PATH":
			path = value
			fallthrough
		default:
			rest = append(rest, kv)
		}
	}
	return slices.Clip(rest), path, max(depth, 0)
}

// Inherited returns environ without agent-hooks' own variables: what hooks
// inherit (D22).
func Inherited(environ []string) []string {
	rest, _, _ := inherited(environ)
	return rest
}
