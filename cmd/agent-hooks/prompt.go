package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type promptFlags struct {
	projectFlags
	json bool
}

func (f *promptFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print JSON")
	f.projectFlags.declare(fs)
}

const promptAbout = `What a HOOK.md says is data to the model that reads it. Each text becomes one line: blanks, tabs and line ends in a row are one blank, but an expression keeps its blanks, and line ends and tabs in it are \n and \t. Characters that do not show or that turn the direction of text are spelled out, such as \u200b and \u202e. Outside --json, & < > " and ' become &amp; &lt; &gt; &quot; and &#x27;.
Hooks that do not run are left out; stderr names them.
`

// promptHook is a hook as a model is told of it.
type promptHook struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Trigger     spec.EventType `json:"trigger"`
	Location    string         `json:"location"` // the HOOK.md of what runs
	Matcher     *promptMatcher `json:"matcher,omitempty"`
}

type promptMatcher struct {
	Tool    string `json:"tool,omitempty"`
	Pattern string `json:"pattern,omitempty"`
}

// promptCommand is `agent-hooks prompt`: the hooks that run, as a block for an
// agent's system prompt. What does not run is left out, and said.
func promptCommand(env *Env, args []string) (int, error) {
	flags, args, err := parse[promptFlags]("prompt", args)
	if err == nil {
		err = noArguments("prompt", args)
	}
	if err != nil {
		return 0, err
	}
	loaded := env.load(flags.projectFlags, nil)
	for _, w := range loaded.Warnings {
		env.warn("%s", w)
	}
	hooks, warnings := env.promptHooks(loaded)
	for _, w := range warnings {
		env.warn("%s", w)
	}
	if flags.json {
		return spec.ExitContinue, env.printJSON(hooks)
	}
	_, err = io.WriteString(env.Stdout, promptBlock(hooks))
	return spec.ExitContinue, err
}

// promptHooks returns the hooks that run, and a warning for each other one.
func (env *Env) promptHooks(loaded *agenthooks.Hooks) ([]promptHook, []string) {
	var warnings []string
	hooks := []promptHook{}
	for _, info := range spec.Events() {
		for _, h := range loaded.Table[info.Event] {
			if cause := env.keptFromRunning(h); cause != "" {
				warnings = append(warnings, fmt.Sprintf("%s hook %s is left out: %s", h.Scope, h.Shown(), cause))
				continue
			}
			hooks = append(hooks, newPromptHook(h))
		}
	}
	for _, h := range loaded.Table[""] {
		warnings = append(warnings, fmt.Sprintf("%s hook %s is left out: its trigger cannot be read: %s", h.Scope, h.Shown(), h.TriggerCause()))
	}
	return hooks, warnings
}

// keptFromRunning says why a hook does not run; "" if it does.
func (env *Env) keptFromRunning(h *discovery.Hook) string {
	if h.State != discovery.Active {
		return fmt.Sprintf("%s: %s", h.State, h.Cause)
	}
	if err := h.Runnable(env.Getenv("PATH")); err != nil {
		return term.Cell(err.Error())
	}
	return ""
}

// newPromptHook makes one line of each text: it comes from a repository, and
// is to be data to the model that reads it.
func newPromptHook(h *discovery.Hook) promptHook {
	p := promptHook{Name: term.Printable(h.Name), Description: term.Cell(h.Description), Trigger: h.Trigger, Location: term.Printable(h.File)}
	if h.Tool != "" || h.Pattern != "" {
		p.Matcher = &promptMatcher{oneLine(h.Tool), oneLine(h.Pattern)}
	}
	return p
}

// oneLine keeps the blanks of an expression, which count.
func oneLine(expression string) string {
	return strings.ReplaceAll(term.Printable(expression), "\t", `\t`)
}

// promptBlock spells hooks as the format's reference does: each tag and each
// text on a line of its own, with the five characters escaped as Python's
// html.escape escapes them.
func promptBlock(hooks []promptHook) string {
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;")
	var b strings.Builder
	tag := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "<%s>\n%s\n</%s>\n", name, escape.Replace(text), name)
		}
	}
	b.WriteString("<available_hooks>\n")
	for _, h := range hooks {
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
