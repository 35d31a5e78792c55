package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/judge"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

const judgeAbout = `Hook scripts call exec "$AGENT_HOOKS_PROGRAM" judge "$AGENT_HOOKS_HOOK_DIR/prompt.md". FILE is the question. In it, {{NAME}} is the event's field NAME, such as {{last_message}} or {{tool_input.command}}, and $ARGUMENTS is the event as JSON; without either, the event follows the question. An instruction for the form of the answer is added. A field that the event lacks is an error.
The question goes to stdin of the program that your hooks.toml names below [judge], for example command = ["ollama", "run", "{model}"] and model = "qwen3"; there is no default. It runs in the folder of that file, not in the project, and gets only PATH, HOME, the locale and similar variables; [hooks] environment names others, such as a key of an API.
Of the complete JSON objects in its output, the most restrictive one is the answer; {} is no opinion. Anything else is a failure (exit status 1), for which metadata.on-failure and retry count. A judge only restricts: an allow or a change in the answer is removed with a warning, because the model read text of the agent that it judges.
`

// maxQuestion is the maximum length of FILE in bytes.
const maxQuestion = 1 << 20

type judgeFlags struct{ model, protocol string }

func (f *judgeFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.model, "model", "", "the `NAME` of the model, instead of that in hooks.toml")
	fs.StringVar(&f.protocol, "protocol", "", "the `AGENT` whose payload and answers the hook uses (metadata.protocol), or AGENT/EVENT")
}

// execute is `agent-hooks judge FILE < event` (D79).
func (flags judgeFlags) execute(env *Env, args []string) (status int, err error) {
	const usual = "agent-hooks judge prompt.md < event.json"
	switch {
	case len(args) == 0:
		return 0, usagef(usual, "judge: name the file with the question")
	case term.IsTerminal(env.Stdin):
		return 0, usagef(usual, "judge reads the event as JSON from stdin, which is a terminal")
	case env.Getenv(judge.Inside) != "":
		return 0, fmt.Errorf("judge: the program of another judge called this one (%s is set), which would never end", judge.Inside)
	}
	j := judging{env: env, judgeFlags: flags}
	program, at, err := j.find()
	switch {
	case err != nil && at != "":
		env.say("error", term.Red, "judge: "+err.Error())
		fmt.Fprintf(env.Stderr, "  for example, in %s:\n%s", env.tilde(at), programLines)
		return spec.ExitError, nil
	case err == nil:
		err = untilSignal(func(ctx context.Context) error {
			status, err = j.judge(ctx, program, env.absolute(args[0]))
			return err
		})
	}
	if err != nil && !errors.As(err, new(usageError)) {
		err = fmt.Errorf("judge: %w", err)
	}
	return status, err
}

// programLines are what a hooks.toml without a program needs.
const programLines = `    [judge]
    command = ["ollama", "run", "{model}"]
    model = "qwen3"
`

// judging is one call of judge.
type judging struct {
	judgeFlags
	env  *Env
	call *agent.Call // of --protocol; otherwise nil
}

// judge prints the answer in the format's form, or in that of --protocol.
func (j *judging) judge(ctx context.Context, program *judge.Program, file string) (status int, err error) {
	template, _, err := paths.Read(file, maxQuestion)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %w", file, shown.Cause(err))
	case len(template) > maxQuestion:
		return 0, fmt.Errorf("%s is above %d MiB", file, maxQuestion>>20)
	}
	raw, _, err := readEvent(ctx, j.env.Stdin, spec.StallTimeout)
	if err != nil {
		return 0, err
	}
	event, err := j.event(raw)
	if err != nil {
		return 0, err
	}
	prompt, err := judge.NewPrompt(string(bytes.TrimPrefix(template, rawjson.ByteOrderMark)), event, raw)
	if err != nil {
		return 0, err
	}
	var own judge.Restrict
	if j.call != nil {
		own = j.call.Restrict
	}
	answer, warnings, err := program.Judge(ctx, prompt, own)
	if err != nil {
		return 0, err
	}
	env := j.env
	if answer.Decision != protocol.NoOpinion {
		answer.Reason = cmp.Or(strings.TrimSpace(answer.Reason), "the model objects, and gives no reason")
	}
	if j.call == nil {
		env.warnAll(warnings)
		text, err := answer.MarshalJSON()
		if err == nil {
			_, err = fmt.Fprintf(env.Stdout, "%s\n", text)
		}
		return spec.ExitContinue, err
	}
	out := j.call.Encode(agent.Verdict{Answer: answer, Hook: env.Getenv("AGENT_HOOKS_HOOK")})
	if out.Status == spec.ExitBlock {
		_, err = io.WriteString(env.Stderr, out.Stderr+"\n") // only the reason
		return out.Status, err
	}
	env.warnAll(append(warnings, out.Warnings...))
	_, err = env.Stdout.Write(out.Stdout)
	return out.Status, err
}

// find returns the program that answers, or the path of the hooks.toml that lacks it.
func (j *judging) find() (program *judge.Program, at string, err error) {
	env := j.env
	if dir := env.Getenv("AGENT_HOOKS_CONFIG_DIR"); env.configDir == "" && filepath.IsAbs(dir) {
		env.configDir = dir
	}
	hooks, warning := env.userHooks()
	if hooks == "" {
		return nil, "", fmt.Errorf("your hooks.toml cannot be found: %s", warning)
	}
	at = filepath.Join(filepath.Dir(hooks), config.Name)
	file := config.Read(hooks, discovery.UserScope)
	user := config.Config{User: file}
	named := user.Judge()
	if named == nil {
		why := "no program answers: " + at + " has no [judge]"
		if file != nil {
			for _, d := range file.Diagnostics {
				why += "; " + d.String()
			}
		}
		return nil, at, errors.New(why + " (agent-hooks help judge)")
	}
	options := env.options(nil)
	options.Project = env.Getenv("AGENT_HOOKS_PROJECT_DIR")
	environ := judge.Environ(options.Outside(), user.Environment())
	if env.leave != nil {
		env.leave(environ)
	}
	words, unused, err := judge.Command(named.Command, cmp.Or(j.model, named.Model))
	if err != nil {
		return nil, at, fmt.Errorf("[judge] in %s: %w", at, err)
	}
	if unused && j.model != "" {
		env.warn("judge: the model %s is not used: command in %s does not contain {model}", j.model, at)
	}
	return &judge.Program{Words: words, Dir: filepath.Dir(at), Environ: environ}, at, nil
}

// namesJudge reports whether the user's hooks.toml names a program that answers.
func (env *Env) namesJudge() bool {
	hooks, _ := env.userHooks()
	return config.Config{User: config.Read(hooks, discovery.UserScope)}.Judge() != nil
}

// event parses the event, or the payload of another system.
func (j *judging) event(raw []byte) (*protocol.Event, error) {
	if raw == nil {
		return nil, errors.New("stdin is empty; it must be the event as JSON")
	}
	now := time.Now().UTC().Format(time.RFC3339)
	trigger := spec.EventType(j.env.Getenv("AGENT_HOOKS_EVENT"))
	if j.protocol == "" {
		_ = rawjson.Members(raw, func(key string, value []byte) bool {
			if name, _ := rawjson.Text(value); key == "event_type" && spec.EventType(name).Valid() {
				trigger = spec.EventType(name)
			}
			return true
		})
		event, _ := protocol.ParseEvent(trigger, raw, now)
		return event, nil
	}
	name, native, _ := strings.Cut(j.protocol, "/")
	a := agent.Find(name)
	switch {
	case a == nil:
		return nil, unknownAgent("judge", name, "`--protocol %s`")
	case a.Converses:
		return nil, usagef("agent-hooks help judge", "hooks of %s are processes that answer requests; a judge cannot be one", a.Title)
	case native != "" && a.Event(native) == nil:
		return nil, usagef("agent-hooks help judge", "%s has no event %q", a.Title, native)
	}
	call, err := a.Decode(raw, native)
	if err != nil {
		return nil, fmt.Errorf("the payload of %s: %w", a.Title, err)
	}
	j.call = call
	if events := call.Row.Spec(); len(events) > 0 && !slices.Contains(events, trigger) {
		trigger = events[0]
	}
	event, _ := protocol.ParseEvent(trigger, raw, now) // with the fields of the payload
	return event, nil
}
