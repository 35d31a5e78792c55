package agent

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Foreign is one run of a hook that is written for an agent (D60).
type Foreign struct {
	Agent *Agent
	Row   *NativeEvent // the native event
	script.Input
	ignoreEdits bool // script.Hook.IgnoreEdits
	caller      *Call
	params      []byte // the payload, for a hook that converses
	whole       bool   // the hook is asked each question about the operation, because its agent does not ask them
	sent        []byte // the tool's input as sent to the script
	edits       bool   // sent was translated from or to a patch
	translated  bool   // the tool's output was sent in the script's agent's own type
	patch       string // the key of the patch in the event's input, if it was sent under the agent's own
}

// Foreign prepares a run of a hook that is written for a. caller is the call of
// the agent that sent the event, nil if the event came in the format's own
// form. It returns nil if the agent has no corresponding event.
func (a *Agent) Foreign(e *protocol.Event, caller *Call, at script.Hook) *Foreign {
	own := caller != nil && caller.Agent == a && !at.Rebuilt && (at.Event == "" || at.Event == caller.Row.Name)
	f := &Foreign{Agent: a, caller: caller, Input: script.Input{Own: own, Dir: at.WorkDir}, ignoreEdits: at.IgnoreEdits}
	if f.Own {
		f.Row = caller.Row
	} else {
		f.Row = a.rowFor(e, at.Event)
	}
	if f.Row == nil {
		return nil
	}
	f.Native = f.Row.Name
	b := builder{agent: a, row: f.Row, event: e, caller: caller, at: at}
	if !own && a == &copilot && isUpper(f.Row.Name) { // settings that spell the event as Claude Code does get its keys and tools
		b.agent = &claudeCode
	}
	b.read()
	if f.Own {
		f.Stdin = b.own()
	} else {
		f.Stdin = b.payload()
	}
	f.sent, f.edits, f.patch, f.translated = b.sent, b.edits, b.patch, b.translated
	switch {
	case a.Converses:
		f.params, f.whole = f.Stdin, at.Event == "" && !own
		f.Stdin = f.conversation(cmp.Or(at.Process, path.Base(filepath.ToSlash(at.Dir))))
	case a == &claudeCode:
		f.Stdin = append(slices.Clip(f.Stdin), '\n')
	}
	f.Environ = b.environ()
	if a.InProject && at.Project != "" {
		f.Dir = at.Project
	}
	return f
}

// Judge returns the meaning of the hook's exit and output by the agent's own
// rules. The output of a hook that converses is the result of Converse. An
// error is a failure of the hook (D27).
func (f *Foreign) Judge(e *protocol.Event, hook string, exit protocol.Exit) (protocol.Answer, []string, error) {
	answer, warnings, err := f.Agent.Judge(f.Row, hook, exit, f.Own)
	answer.NativeAsk = f.Own && answer.Decision == protocol.Ask
	if err == nil && f.Agent.Converses {
		err = f.carried(exit.Stdout, answer)
		answer.Native = f.native(exit.Stdout)
		if c := f.caller; answer.Native != nil && c != nil && c.Agent != f.Agent {
			err = fmt.Errorf("the hook's change of the model's request or response cannot be passed on to %s", c.Agent.Title)
		}
	} else if err == nil {
		var more []string
		answer.Native, more, err = f.parts(exit.Stdout, answer)
		warnings = append(warnings, more...)
	}
	if err == nil && answer.UpdatedOutput != nil {
		answer.UpdatedOutput = f.givenOutput(e, answer.UpdatedOutput)
	}
	if err == nil && answer.ModifiedInput != nil {
		given := answer.ModifiedInput
		answer.ModifiedInput = f.changed(e, given)
		answer.WholeInput = f.Agent.Judging.ReplacesInput
		if f.edits && answer.ModifiedInput != nil {
			f.unusable(&answer, given)
			if f.ignoreEdits {
				warnings = append(warnings, "its change is ignored, because the agent sends the edit in another form (--modify=ignore)")
			}
		}
	}
	if err != nil {
		return protocol.Answer{}, warnings, err
	}
	return answer, warnings, nil
}

// unusable handles a change of an edit that the agent sends in another form, so that the change
// cannot be applied (D45).
func (f *Foreign) unusable(answer *protocol.Answer, given []byte) {
	answer.ModifiedInput = nil
	switch {
	case !f.ignoreEdits:
		answer.Decision = protocol.Deny
		answer.Reason = join(answer.Reason, "the edit must be changed; make this one instead: "+string(given))
	case answer.Decision == protocol.Allow: // of the changed edit
		answer.Decision, answer.Reason = protocol.NoOpinion, ""
	}
}

// changed converts a script's changed input to the form that hooks read; nil if
// nothing changed.
func (f *Foreign) changed(e *protocol.Event, input []byte) []byte {
	if f.Own { // without file_paths, which only repeats the values of other keys
		members := latest(f.caller.extended(input))
		return objectOf(slices.DeleteFunc(members, func(m member) bool { return m.key == filePaths }))
	}
	members, given := latest(f.sent), latest(input)
	sent, kept := valuesOf(members), valuesOf(given)
	names, _ := e.ToolNames()
	tool := append(names, "")[0]
	var set []member
	for _, m := range given {
		if was := sent[m.key]; was != nil && same(was, m.value) {
			continue
		}
		key := f.Agent.canonicalKey(m.key, tool)
		if f.patch != "" && m.key == f.Agent.patches {
			key = f.patch
		}
		set = append(set, member{key, m.value})
	}
	removed := map[string]bool{}
	for _, m := range members {
		if f.Agent.Judging.ReplacesInput && kept[m.key] == nil {
			removed[f.Agent.canonicalKey(m.key, tool)] = true
		}
	}
	if len(set)+len(removed) == 0 {
		return nil
	}
	current := assign(latest(e.ToolInput()), set...)
	return objectOf(slices.DeleteFunc(current, func(m member) bool { return removed[m.key] }))
}

// canonicalKey returns the canonical name of one of the agent's keys.
func (a *Agent) canonicalKey(native, tool string) string {
	if row := a.key(native, tool); row != nil && row.Canonical != filePaths {
		return row.Canonical
	}
	return native
}
