package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Judge returns the meaning of the exit and output of a hook written for a, on
// a native event, by the agent's own rules (D60). own reports whether the agent
// itself called the hook. An error is a failure of the hook.
func (a *Agent) Judge(row *NativeEvent, hook string, exit protocol.Exit, own bool) (protocol.Answer, []string, error) {
	j := judgment{agent: a, row: row, hook: hook, exit: exit, own: own, stdout: strings.TrimSpace(string(exit.Stdout))}
	if a.Judging.OneStream && j.stdout == "" {
		j.stdout = strings.TrimSpace(string(exit.Stderr))
	}
	answer, err := j.judge()
	if err != nil {
		return protocol.Answer{}, j.warnings, err
	}
	return answer, j.warnings, nil
}

// Speaks returns the agent's name if it reads the exit of a hook of its own as
// at least the decision d, otherwise "".
func (c *Call) Speaks(exit protocol.Exit, d protocol.Decision) string {
	if c.Row == nil {
		return ""
	}
	answer, _, err := c.Agent.Judge(c.Row, "", exit, true)
	if err != nil || answer.Empty() || protocol.Merge([]protocol.Answer{{Decision: d}, answer}).Decision != answer.Decision {
		return ""
	}
	return c.Agent.Name
}

// judgment interprets one exit of a hook.
type judgment struct {
	agent    *Agent
	row      *NativeEvent
	hook     string
	exit     protocol.Exit
	own      bool
	stdout   string
	warnings []string
}

func (j *judgment) warnf(format string, args ...any) {
	j.warnings = append(j.warnings, fmt.Sprintf(format, args...))
}

// on reports whether a list of events contains the native one.
func (j *judgment) on(events string) bool {
	return events == "*" || hasWord(events, j.row.Name)
}

func (j *judgment) judge() (protocol.Answer, error) {
	rules := &j.agent.Judging
	object := isObject([]byte(j.stdout)) && rawjson.Members([]byte(j.stdout), func(string, []byte) bool { return true }) == nil
	switch status := j.exit.Status; {
	case j.exit.Dropped > 0 && status == spec.ExitContinue && j.on(rules.Strict):
		return j.deny(fmt.Sprintf("its answer is above its limit by %d bytes", j.exit.Dropped)), nil
	case j.exit.Dropped > 0:
		return protocol.Answer{}, fmt.Errorf("bad answer: stdout is above its limit by %d bytes", j.exit.Dropped)
	case status == spec.ExitBlock && !(rules.Status2JSON && object) && j.agent.ReadsStatus2():
		return j.status2(object)
	case status == spec.ExitContinue:
		return j.read(object)
	case rules.AnyStatus && object, rules.Status2JSON && object:
		return j.read(object)
	}
	if rules.exit != nil {
		if a, err := rules.exit(j); a.Decision != protocol.NoOpinion || err != nil {
			return a, err
		}
	}
	if j.on(rules.Closed) && !(rules.NeedsReason && j.reason() == "") {
		return j.deny(j.reason()), nil
	}
	return protocol.Answer{}, j.agent.statusError(j.exit)
}

// statusError returns the failure for any other exit status.
func (a *Agent) statusError(exit protocol.Exit) error {
	if !a.ReadsStatus2() {
		class := fmt.Sprintf("exit status %d", exit.Status)
		said, _, _ := strings.Cut(protocol.Reason(exit.Stderr), "\n")
		return &protocol.QuotingError{Class: class, Message: strings.TrimSuffix(class+": "+clip(said), ": ") + " (" + a.Title + " blocks only with JSON on stdout)"}
	}
	_, _, err := protocol.Judge(spec.PreToolCall, "", protocol.Exit{Status: exit.Status, Stderr: exit.Stderr})
	return err
}

// reason returns the hook's reason for a block by its exit status.
func (j *judgment) reason() string {
	if j.agent.Judging.OneStream {
		return protocol.Reason([]byte(j.stdout))
	}
	return protocol.Reason(j.exit.Stderr)
}

func (j *judgment) deny(reason string) protocol.Answer {
	if reason == "" {
		reason = "blocked by hook " + j.hook
	}
	return protocol.Answer{Decision: protocol.Deny, Reason: reason}
}

// status2 judges exit status 2, for which stdout is not read.
func (j *judgment) status2(object bool) (protocol.Answer, error) {
	rules, reason := &j.agent.Judging, j.reason()
	switch {
	case !j.row.Exit2 && !j.on(rules.Status2):
		j.warnf("exit status 2 does not block %s in %s", j.row.Name, j.agent.Title)
		return protocol.Answer{SystemMessage: reason}, nil
	case rules.Status2Reason && object && j.jsonReason() != "":
		return j.deny(j.jsonReason()), nil
	case reason == "" && rules.NeedsReason:
		return protocol.Answer{}, fmt.Errorf("%s ignores exit status 2 without a reason on stderr", j.agent.Title)
	}
	return j.deny(reason), nil
}

// ReadsStatus2 reports whether exit status 2 has a meaning of its own on any
// event. Otherwise it is a failure like every other status.
func (a *Agent) ReadsStatus2() bool {
	return a.Judging.Status2 != "" || slices.ContainsFunc(a.Events(), func(row NativeEvent) bool { return row.Exit2 })
}

// jsonReason returns the reason of a block in JSON; "" if there is none.
func (j *judgment) jsonReason() string {
	a, _ := j.answer()
	if a.Decision != protocol.Deny || a.Reason == j.deny("").Reason {
		return ""
	}
	return a.Reason
}

func (j *judgment) unread() error {
	return fmt.Errorf("bad answer: %s takes neither other keys nor text", j.agent.Title)
}

// read judges stdout.
func (j *judgment) read(object bool) (protocol.Answer, error) {
	rules := &j.agent.Judging
	switch {
	case object:
		return j.answer()
	case j.stdout == "" && j.on(rules.Strict) && j.row.Silent != "":
		return j.deny(""), nil // there, empty output is not an answer
	case j.stdout == "":
		return protocol.Answer{}, nil
	case j.on(rules.NoText):
		return protocol.Answer{}, j.unread()
	case j.on(rules.Strict) && !(rules.TextPasses && j.stdout[0] != '{'):
		return j.deny("its answer is not the JSON that " + j.agent.Title + " reads"), nil
	case j.stdout[0] == '{' && j.stdout[len(j.stdout)-1] == '}' && !strings.Contains(j.stdout, "}\n{"):
		return protocol.Answer{}, errors.New("bad answer: stdout is not one JSON object")
	case j.on(rules.Plain):
		return protocol.Answer{AdditionalContext: j.stdout}, nil
	case rules.PlainMessage:
		return protocol.Answer{SystemMessage: j.stdout}, nil
	case strings.Contains(j.stdout, "{"):
		j.warnf("%s ignores JSON after other text", j.agent.Title)
	}
	return protocol.Answer{}, nil
}

// answer judges a JSON object.
func (j *judgment) answer() (protocol.Answer, error) {
	reader := formReader{judgment: j, object: []byte(j.stdout)}
	if reject := j.agent.Judging.reject; reject != nil {
		if err := reject(&reader); err != nil && j.on(j.agent.Judging.Strict) {
			return j.deny("its answer is rejected: " + err.Error()), nil
		} else if err != nil {
			return protocol.Answer{}, err
		}
	}
	a := reader.read()
	if fault := reader.mismatch(); fault != "" {
		return j.broken(j.settle(a), fault)
	}
	if reader.unusable && a.ModifiedInput == nil && a.Decision != protocol.Deny {
		return protocol.Answer{}, errors.New("bad answer: the changed input is not an object")
	}
	return j.settle(a), nil
}

// settle drops the parts of an answer that do not apply with its decision.
func (j *judgment) settle(a protocol.Answer) protocol.Answer {
	if j.agent.settle != nil {
		a = j.agent.settle(j, a)
	}
	if a.Decision == protocol.Deny {
		denied := j.deny(protocol.Reason([]byte(a.Reason)))
		denied.SystemMessage, denied.Stop, denied.StopReason = a.SystemMessage, a.Stop, a.StopReason
		return denied
	}
	if a.Decision == protocol.Allow && j.agent.Judging.NoObjection && !j.own {
		a.Decision, a.Reason = protocol.NoOpinion, ""
	}
	return a
}

// formReader reads forms in reverse.
type formReader struct {
	*judgment
	object []byte
	found  bool
	// unusable means that a changed input is not of a form's kind.
	unusable bool
}

// all returns the forms that apply to the event: the event's own, and the
// agent's others for parts of an answer that the event supports.
func (r *formReader) all() []Forms {
	row := r.row.Forms()
	all := []Forms{row}
	for _, f := range r.agent.Judging.Also {
		keep := func(form, own Form) Form {
			if own == nil {
				return nil
			}
			return form
		}
		deny := row.Deny
		if r.row.Exit2 {
			deny = blockTop
		}
		all = append(all, Forms{
			Deny: keep(f.Deny, deny), Ask: keep(f.Ask, deny), Allow: keep(f.Allow, row.Allow), Input: keep(f.Input, row.Input),
			Prompt: keep(f.Prompt, row.Prompt), Context: keep(f.Context, row.Context), Message: keep(f.Message, row.Message),
			Output: keep(f.Output, row.Output), Stop: keep(f.Stop, row.Stop),
		})
	}
	return all
}

// read returns the content of the object.
func (r *formReader) read() (a protocol.Answer) {
	for _, forms := range r.all() {
		r.take(&a, forms)
	}
	return a
}

// onlyKeys returns an error for a key that is not one of the known ones.
func (r *formReader) onlyKeys(object []byte, known string) (err error) {
	_ = rawjson.Members(object, func(key string, _ []byte) bool {
		if !hasWord(known, key) {
			err = fmt.Errorf("%s rejects an answer with the key %q", r.agent.Title, clip(key))
		}
		return err == nil
	})
	return err
}

// take adds the content of the object in these forms. The most restrictive
// decision counts.
func (r *formReader) take(a *protocol.Answer, f Forms) {
	decide := func(form Form, d protocol.Decision, weaker ...protocol.Decision) {
		v, ok := r.match(form)
		if ok && a.Decision == d && a.Reason == "" {
			a.Reason = v.reason
		}
		if !ok || a.Decision != protocol.NoOpinion && !slices.Contains(weaker, a.Decision) {
			return
		}
		a.Decision, a.Reason = d, v.reason
	}
	if !f.Deny.isContext(f.Context) {
		decide(f.Deny, protocol.Deny, protocol.Ask, protocol.Allow)
	}
	decide(f.Ask, protocol.Ask, protocol.Allow)
	decide(f.Allow, protocol.Allow)
	if v, ok := r.match(f.Input); ok && v.input != nil {
		a.ModifiedInput = v.input
		if a.Decision == protocol.NoOpinion && (f.Input.grants() || r.own && (f.Input.decides() || r.row.Allow == nil)) {
			a.Decision = protocol.Allow
		}
	}
	if v, ok := r.match(f.Prompt); ok && v.prompt != nil {
		a.ModifiedPrompt, _ = rawjson.Text(v.prompt)
	}
	if v, ok := r.match(f.Output); ok && v.output != nil && a.Decision != protocol.Deny {
		a.UpdatedOutput = v.output
	}
	if v, ok := r.match(f.Context); ok && a.AdditionalContext == "" {
		a.AdditionalContext = v.context
	}
	if v, ok := r.match(f.Message); ok && v.message != "" {
		a.SystemMessage = v.message
	}
	if v, ok := r.match(f.Stop); ok {
		a.Stop = true
		if v.reason != "" {
			a.StopReason = v.reason
		}
	}
}

// match reads a form in reverse. It reports whether the object contains all of
// the form's literals or, if the form has none, at least one of its variables.
func (r *formReader) match(f Form) (v values, ok bool) {
	literals, variables, misses, unusable := 0, 0, 0, false
	for _, p := range f {
		path := p.keys()
		found := descend(r.object, path)
		if strings.HasPrefix(path, specificOutput) && r.agent.Judging.NeedsName && !r.named() {
			found = nil
		}
		switch {
		case f.silent():
		case p.Var == "":
			literals++
			if !slices.ContainsFunc(found, p.is) {
				misses++
			}
		case len(found) > 0:
			if last := found[len(found)-1]; v.set(p.Var, last) {
				variables++
			} else if (p.Var == Input || p.Var == InputText) && string(last) != "null" {
				unusable = true
			}
		}
	}
	r.unusable = r.unusable || unusable && misses == 0
	ok = misses == 0 && (literals > 0 || variables > 0)
	r.found = r.found || ok
	return v, ok
}

// named reports whether hookSpecificOutput applies to this event.
func (r *formReader) named() bool {
	for _, value := range descend(r.object, "hookSpecificOutput.hookEventName") {
		if name, ok := rawjson.Text(value); ok && name == r.row.Name {
			return true
		}
	}
	return false
}

// set stores the value of a form's variable.
func (v *values) set(variable Variable, value []byte) bool {
	s, text := rawjson.Text(value)
	switch variable {
	case Input:
		if !isObject(value) {
			return false
		}
		v.input = value
	case InputText:
		v.input = Object.convert(value)
		if !isObject(v.input) {
			v.input = nil
			return false
		}
	case Prompt:
		v.prompt = value
		return text
	case NewOutput, NewOutputText:
		v.output = value
	case Reason, StopReason:
		if v.reason == "" {
			v.reason = s
		}
		return text && s != ""
	case Context:
		v.context = s
		return text && s != ""
	case Contexts:
		var texts []string
		for _, element := range elements(value) {
			if s, ok := rawjson.Text(element); ok && s != "" {
				texts = append(texts, s)
			}
		}
		v.context = strings.Join(texts, "\n")
		return v.context != ""
	case Message:
		v.message = s
		return text && s != ""
	}
	return true
}
