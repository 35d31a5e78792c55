// Package agenthooks finds, matches and runs hooks written in the Agent Hooks
// format. It is for programs that embed them, such as coding agents written in
// Go. The agent-hooks command is a thin layer over it.
//
//	hooks := agenthooks.Load(agenthooks.Options{Project: dir, Agent: agenthooks.Agent{Name: "my-agent"}})
//	event, warnings := protocol.ParseEvent(spec.PreToolCall, call, time.Now().UTC().Format(time.RFC3339))
//	report := hooks.Plan(event).Run(ctx, agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express})
//	show(append(warnings, report.Warnings...)) // to the user: what was not understood, and what did not run
//	if report.Blocked {
//		return errors.New(report.Answer.Reason) // do not execute the tool
//	}
//	if report.Answer.Decision == protocol.Ask {
//		// execute it only if the user agrees; the question is report.Answer.Reason
//	}
//	if input := report.Answer.ModifiedInput; input != nil {
//		// execute it with this input instead
//	}
//
// call is the event as a JSON object (SPEC.md 8). What ParseEvent cannot decode
// counts as matched by every hook, and its warnings say why. Express
// declares what the agent does with an answer: it asks its user, it uses a changed
// input. Without it, such an answer is a block (D104), so that an agent does not
// execute what a guard has not allowed.
//
// Load reads the user's and the project's hooks and applies the user's hooks.toml.
// Only reviewed hooks of the project run, unless Options.TrustProject is set. Run
// appends to the user's run log. See Options for how to opt out.
//
// A plan is made for one event. Load again for each event to see changes on
// disk; Live does so at less cost.
//
// Planning starts no process, so a plan can be shown to a person. Running
// executes the plan. A hook that fails lets the operation continue unless its
// HOOK.md or the user's hooks.toml says otherwise (metadata.on-failure). Every
// failure is in the report. A canceled run does not allow the operation: it is
// reported as blocked, with Report.Canceled set.
//
// A run may take as long as the timeouts of its hooks together. An agent should
// limit it with context.WithTimeoutCause and ErrDeadline (SPEC.md 14.5).
//
// Packages spec (the format as data), protocol (events and answers) and agents (other
// agents, and hooks that are written for them) belong to this API. Packages
// discovery (folders), manifest (HOOK.md), matcher and exec (processes) are
// its parts, without a promise (D105).
package agenthooks

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/resident"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Project is the result of the search for a project's hooks (D2). Paths are
// physical and absolute.
type Project struct {
	Root  string // the folder that contains .agents/hooks, otherwise the start; "" if there is no usable start
	Hooks string // its .agents/hooks; "" if there is none
	Start string // start of the search
	Other string // start of another search that found no project; "" if there was none
}

// Hooks holds the hooks of a user and a project, in the order in which they
// run. Its fields must not be modified. Safe for concurrent use.
type Hooks struct {
	Project     Project
	Table       discovery.Table   // also holds the hooks that do not run
	Diagnostics []spec.Diagnostic // problems in the hooks directories and the hooks.toml files
	Warnings    []string          // about the user's directories, trust and the search for the project

	in        located         // the options of the call for which the hooks are
	environ   []string        // of the caller, without agent-hooks' own variables; hooks inherit a part (D89)
	given     []string        // names of variables that the host set for the hooks
	around    func() []string // place.Around of the project's candidates
	path      string          // the absolute entries of PATH
	depth     int             // number of hooks up the process tree that started agents (D22)
	config    *configuration
	managed   *configuration // of managed hooks; nil if there are none (D82)
	only      bool           // nothing but managed hooks is read
	check     *trust.Check   // nil if trust is not required
	doubts    []string       // the part of Warnings about trust and hooks.toml
	elsewhere string         // the file with which the agent itself runs managed hooks
	records   records
	continues bool           // the prompt is not a new one
	matchers  *sync.Map      // *discovery.Hook -> *matcher.Matcher
	residents *resident.Pool // nil: a hook that converses starts for each event
}

// Load finds the project and reads the hooks and hooks.toml files of all scopes. It
// returns no error: a file that cannot be read is a diagnostic or a warning,
// and a hook that cannot run stays in the table with its cause (D5).
func Load(o Options) *Hooks {
	return load(o.complete().locate())
}

func load(o located) *Hooks {
	h := &Hooks{matchers: &sync.Map{}}
	h.environ, h.path, h.depth = inherited(o.Environ)
	if o.managed != "" { // only this hooks.toml applies to managed hooks (D82)
		h.managed = &configuration{managed: true, Config: config.Config{User: config.Read(o.managed, discovery.ManagedScope)}}
	}
	h.only = o.ManagedOnly || h.managed != nil && h.managed.OnlyManaged()
	if h.only { // nothing of the user's or the project's is read (D82)
		o.NoConfig, o.TrustProject, o.Keep, o.Hooks = true, true, nil, ""
	}
	h.config = o.userConfig()
	run, start := o.Only != "", o.Only == spec.PreSession
	switch {
	case h.config.trusted && start, // a session's start also says which hooks await a review (D83)
		o.Agent.Approves && o.Only == spec.PermissionRequest: // hooks for tool calls also approve (SPEC.md 4.10)
		o.Only = ""
	}
	check := h.config.check(o)
	found, search := h.find(o, counts(check))
	if check != nil && found.Hooks != "" && o.Only != "" && o.Whole != nil && o.Whole(found.Root, o.State) {
		o.Only = ""
		check = h.config.check(o)
	}
	h.check = check
	h.config.readProject(found.Hooks, check)
	h.Table, h.Diagnostics = h.read(o, found)
	if check != nil {
		if run {
			check.Remember(time.Now())
		}
		h.doubts = check.Warnings()
	}
	if why := h.config.unreviewed; why != "" && !start { // whose message says it with the hooks (Pending)
		h.doubts = append(h.doubts, fmt.Sprintf("the project's %s: %s (agent-hooks trust)", config.Name, why))
	}
	h.records = o.records(h.config)
	h.serve(o, found, search)
	return h
}

// read reads the hooks, puts reviewed copies in the place of the project's hooks,
// applies the hooks.toml files, and orders the hooks (D6).
func (h *Hooks) read(o located, at place.Project) (discovery.Table, []spec.Diagnostic) {
	limits := discovery.Limits{Until: o.Until, Only: o.Only}
	if o.Keep != nil {
		limits.Only = ""
	}
	if h.check != nil {
		limits.Review = h.check.Known(at.Hooks)
	}
	found := discovery.Read(discovery.Dirs{Managed: o.managed, User: o.Hooks, Project: at.Hooks}, limits)
	if h.check != nil {
		found.Project = h.check.Review(found.Project, at)
		found.ParseAlike()
	}
	for _, hooks := range [][]*discovery.Hook{found.User, found.Project} {
		for i := range hooks {
			if o.Keep != nil {
				hooks[i] = o.Keep(hooks[i])
			}
			h.config.Apply(hooks[i])
		}
	}
	if h.managed != nil {
		for _, hook := range found.Managed {
			h.managed.ApplyManaged(hook)
		}
		if err := h.managed.User.Unusable(); err != nil {
			found.Managed = append(found.Managed, discovery.Unmanaged(h.managed.User.Path, err))
		}
	}
	table := found.Table(h.path, h.config.Protected)
	if h.managed != nil {
		found.Diagnostics = append(found.Diagnostics, h.managed.diagnostics(table)...)
	}
	return table, append(found.Diagnostics, h.config.diagnostics(table)...)
}

// find searches for the project.
func (h *Hooks) find(o located, counts func(hooks string) bool) (found place.Project, warnings []string) {
	found, warnings = o.search.FindProject(o.Home, counts)
	if h.only {
		found.Hooks = ""
	}
	return found, warnings
}

// serve sets what depends on the call for which hooks are loaded. search are the
// warnings of the search that found the project.
func (h *Hooks) serve(o located, found place.Project, search []string) {
	if h.only {
		o.Warnings = nil
	}
	h.in, h.Project, h.Warnings = o, Project(found), slices.Concat(o.Warnings, h.doubts, search)
	h.around = sync.OnceValue(func() []string { return o.search.Around(o.Home) })
}

// OnFailure returns the user's policy for failures of hooks that set no policy
// of their own (D12). If there are managed hooks, it is their policy (D82).
func (h *Hooks) OnFailure() manifest.OnFailure {
	if h.managed != nil {
		return h.managed.ManagedOnFailure()
	}
	return h.configuration().OnFailure()
}

// Configured lists the values for hook in the hooks.toml files, such as
// "timeout 5000 ms (/home/me/.config/agents/hooks.toml:3)".
func (h *Hooks) Configured(hook *discovery.Hook) []string {
	var texts []string
	for _, change := range h.ofHook(hook).Changes(hook) {
		texts = append(texts, change.String())
	}
	return texts
}

// Protected reports whether the user's hooks.toml forbids projects to replace
// the user's hook called name (D6).
func (h *Hooks) Protected(name string) bool { return h.configuration().Protected(name) }

// StateDir returns the directory of the run log and the reviewed copies; "" if there
// is none.
func (h *Hooks) StateDir() string { return h.in.State }

// RequiresTrust reports whether the project's hooks run only after the user has
// reviewed them (D40).
func (h *Hooks) RequiresTrust() bool { return h.configuration().trusted }

// configuration returns the hooks.toml files that apply. Hooks that were not loaded have
// none, and restrict.
func (h *Hooks) configuration() *configuration {
	if h.config == nil {
		return &configuration{trusted: true}
	}
	return h.config
}

// WithEnviron returns the same hooks with environ, in the form KEY=value, as
// the environment that they inherit.
func (h *Hooks) WithEnviron(environ []string) *Hooks {
	with := *h
	with.environ, with.path, with.depth = inherited(environ)
	return &with
}

// WithTable returns the same project, user and configuration with other hooks.
func (h *Hooks) WithTable(table discovery.Table) *Hooks {
	with := *h
	with.Table, with.Diagnostics = table, nil
	return &with
}

// WithRoot returns the hooks for a project at root, which was not searched for.
func (h *Hooks) WithRoot(root string) *Hooks {
	with := *h
	with.Project, with.Warnings = Project{Root: root}, nil
	return &with
}

// WithVariables returns the same hooks, which get the named variables also with values that lead into
// the project (D101): the caller has set them for the hooks.
func (h *Hooks) WithVariables(names []string) *Hooks {
	with := *h
	with.given = names
	return &with
}

// WithAgent returns the same hooks for another calling agent.
func (h *Hooks) WithAgent(a Agent) *Hooks {
	with := *h
	with.in.Agent = a
	return &with
}

// HasManaged reports whether there are managed hooks (D82).
func (h *Hooks) HasManaged() bool { return h.managed != nil }

// WithManagedBy returns the same hooks for an agent that itself runs the managed
// hooks on the event, in another process, because of file, its own managed
// settings. They then run only on changes that other hooks make (D82).
func (h *Hooks) WithManagedBy(file string) *Hooks {
	with := *h
	with.elsewhere = file
	return &with
}

// Continuation returns only the managed hooks, for a prompt that seems to be the
// agent's own continuation of its work. Blocks remain counted.
func (h *Hooks) Continuation() *Hooks {
	with := *h
	with.continues, with.Table = true, discovery.Table{}
	for event, rows := range h.Table {
		with.Table[event] = slices.DeleteFunc(slices.Clone(rows), func(hook *discovery.Hook) bool { return !isManaged(hook) })
	}
	return &with
}

// Prompt describes the hooks that run to a model. String formats it as the
// block for an agent's system prompt.
type Prompt []PromptHook

// PromptHook is one hook of a Prompt. Each text is a single line without
// invisible characters, because the model must treat it as data.
type PromptHook struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Trigger     spec.EventType `json:"trigger"`
	Location    string         `json:"location"` // the HOOK.md that is used
	Matcher     *PromptMatcher `json:"matcher,omitempty"`
}

// PromptMatcher is the matcher of a PromptHook; "" for a part that is not set.
type PromptMatcher struct {
	Tool    string `json:"tool,omitempty"`
	Pattern string `json:"pattern,omitempty"`
}

// Prompt returns the hooks that run, sorted by event and in run order, and a
// warning for each hook that does not (D70).
func (h *Hooks) Prompt() (Prompt, []string) {
	var warnings []string
	p := Prompt{}
	for _, info := range spec.Events() {
		for _, hook := range h.Table[info.Event] {
			cause := ""
			if hook.State != discovery.Active {
				cause = fmt.Sprintf("%s: %s", hook.State, hook.Cause)
			} else if err := hook.Runnable(h.path); err != nil {
				cause = shown.Line(err.Error())
			}
			if cause != "" {
				warnings = append(warnings, fmt.Sprintf("%s hook %s is omitted: %s", hook.Scope, hook.Shown(), cause))
				continue
			}
			p = append(p, newPromptHook(hook))
		}
	}
	for _, hook := range h.Table[""] {
		warnings = append(warnings, fmt.Sprintf("%s hook %s is omitted: its trigger cannot be read: %s", hook.Scope, hook.Shown(), hook.TriggerCause()))
	}
	return p, warnings
}

func newPromptHook(h *discovery.Hook) PromptHook {
	p := PromptHook{Name: shown.Text(h.Folder), Description: shown.Line(h.Description), Trigger: h.Trigger, Location: shown.Text(h.File)}
	// The spaces of an expression are significant.
	expression := func(text string) string { return strings.ReplaceAll(shown.Text(text), "\t", `\t`) }
	if h.Tool != "" || h.Pattern != "" {
		p.Matcher = &PromptMatcher{expression(h.Tool), expression(h.Pattern)}
	}
	return p
}

// String formats the hooks like the format's reference implementation: each tag
// and each text on its own line, with five characters escaped as Python's
// html.escape does.
func (p Prompt) String() string {
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;")
	var b strings.Builder
	tag := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "<%s>\n%s\n</%s>\n", name, escape.Replace(text), name)
		}
	}
	b.WriteString("<available_hooks>\n")
	for _, h := range p {
		b.WriteString("<hook>\n")
		tag("name", h.Name)
		tag("description", h.Description)
		tag("trigger", string(h.Trigger))
		tag("location", h.Location)
		if h.Matcher != nil {
			b.WriteString("<matcher>\n")
			tag("tool", h.Matcher.Tool)
			tag("pattern", h.Matcher.Pattern)
			b.WriteString("</matcher>\n")
		}
		b.WriteString("</hook>\n")
	}
	b.WriteString("</available_hooks>\n")
	return b.String()
}
