package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/judge"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

const judgeAbout = `Hook scripts call exec "$AGENT_HOOKS_PROGRAM" judge "$AGENT_HOOKS_HOOK_DIR/prompt.md". FILE is the question. In it, {{NAME}} is the event's field NAME, such as {{last_message}} or {{tool_input.command}}, and $ARGUMENTS is the event as JSON; without either, the event follows the question. An instruction for the form of the answer is added. A field that the event lacks is an error.
The question goes to stdin of the program that your hooks.toml names below [judge], for example command = ["ollama", "run", "{model}"] and model = "qwen3"; there is no default. It runs in the folder of that file, not in the project, and gets only PATH, HOME, the locale and similar variables; [hooks] environment names others, such as a key of an API.
Of the complete JSON objects in its output, the most restrictive one is the answer; {} is no opinion. Anything else is a failure (exit status 1), for which metadata.on-failure and retry count. A judge only restricts: an allow or a change in the answer is removed with a warning, because the model read text of the agent that it judges.
`

// insideJudge is the variable that a judge sets for its program. It does not begin
// with AGENT_HOOKS_, so that it passes a run of hooks (D22).
const insideJudge = "INSIDE_AGENT_HOOKS_JUDGE"

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
	case env.Getenv(insideJudge) != "":
		return 0, fmt.Errorf("judge: the program of another judge called this one (%s is set), which would never end", insideJudge)
	}
	j := judging{env: env, judgeFlags: flags}
	err = untilSignal(func(ctx context.Context) error {
		status, err = j.judge(ctx, env.absolute(args[0]))
		return err
	})
	var usage usageError
	var unset *unsetError
	switch {
	case errors.As(err, &unset):
		env.say("error", term.Red, "judge: "+err.Error())
		fmt.Fprintf(env.Stderr, "  for example, in %s:\n%s", env.tilde(unset.file), programLines)
		return spec.ExitError, nil
	case err != nil && !errors.As(err, &usage):
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
	env *Env

	config  string // the user's hooks.toml
	words   []string
	environ []string    // of the program
	call    *agent.Call // of --protocol; otherwise nil
}

func (j *judging) judge(ctx context.Context, file string) (status int, err error) {
	if err := j.program(); err != nil {
		return 0, err
	}
	template, _, err := paths.Read(file, maxQuestion)
	var path *fs.PathError
	switch {
	case errors.As(err, &path):
		return 0, err
	case err != nil:
		return 0, fmt.Errorf("%s: %w", file, err)
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
	output, fault := j.ask(ctx, prompt.Text)
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	var own judge.Restrict
	if j.call != nil {
		own = j.call.Restrict
	}
	answer, warnings, err := prompt.Read(output, own)
	if restricts := answer.Decision != protocol.NoOpinion || answer.Stop; fault != nil && restricts { // it counts despite any fault (D25)
		warnings = append(warnings, fault.Error())
	} else {
		err = cmp.Or(fault, err)
		if err != nil {
			return 0, quoting(err, output)
		}
	}
	return j.answer(answer, warnings)
}

// quoting adds the beginning of a model's output to an error about it.
func quoting(err error, output []byte) error {
	const most = 120
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(output[:min(len(output), 2*most)]), "\ufffd")), " ")
	if !errors.Is(err, judge.ErrNoAnswer) || text == "" {
		return err
	}
	return fmt.Errorf("%w: %q", err, term.CutTo(text, most))
}

// program determines the command that answers.
func (j *judging) program() error {
	env := j.env
	if dir := env.Getenv("AGENT_HOOKS_CONFIG_DIR"); env.configDir == "" && filepath.IsAbs(dir) {
		env.configDir = dir
	}
	hooks, warning := env.userHooks()
	if hooks == "" {
		return fmt.Errorf("your hooks.toml cannot be found: %s", warning)
	}
	j.config = filepath.Join(filepath.Dir(hooks), config.Name)
	file := config.Read(hooks, discovery.UserScope)
	named := config.Config{User: file}.Judge()
	if named == nil {
		why := "no program answers: " + j.config + " has no [judge]"
		if file != nil {
			for _, d := range file.Diagnostics {
				why += "; " + d.String()
			}
		}
		return j.unset("%s (agent-hooks help judge)", why)
	}
	model := cmp.Or(j.model, named.Model)
	words, unused, err := judge.Command(named.Command, model)
	if err != nil {
		return j.unset("[judge] in %s: %v", j.config, err)
	}
	if unused && j.model != "" {
		env.warn("judge: the model %s is not used: command in %s does not contain {model}", model, j.config)
	}
	options := env.options(nil)
	options.Project = env.Getenv("AGENT_HOOKS_PROJECT_DIR")
	j.environ = judge.Environ(options.Outside(), config.Config{User: file}.Environment())
	if env.leave != nil {
		env.leave(j.environ)
	}
	path, err := osexec.LookPath(words[0])
	if err == nil && !filepath.IsAbs(path) {
		err = osexec.ErrDot
	}
	var failed *osexec.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return j.unset("the program %q of [judge] in %s cannot be run: %v; programs of the project do not count", words[0], j.config, err)
	}
	j.words = append([]string{path}, words[1:]...)
	return nil
}

// namesJudge reports whether the user's hooks.toml names a program that answers.
func (env *Env) namesJudge() bool {
	hooks, _ := env.userHooks()
	return config.Config{User: config.Read(hooks, discovery.UserScope)}.Judge() != nil
}

// unsetError is an error that lines in hooks.toml correct.
type unsetError struct{ message, file string }

func (e *unsetError) Error() string { return e.message }

func (j *judging) unset(format string, args ...any) error {
	return &unsetError{fmt.Sprintf(format, args...), j.config}
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

// ask runs the program. It stays in this process's group, so that whoever stops the
// hook stops it, too. It runs next to the user's hooks.toml: in the project, an agent
// would read the instructions of the repository that it judges. fault is why the
// output may be incomplete.
func (j *judging) ask(ctx context.Context, prompt string) (output []byte, fault error) {
	runtime.LockOSThread() // the program dies with the thread that started it
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dir := filepath.Dir(j.config)
	cmd := osexec.CommandContext(ctx, j.words[0], j.words[1:]...)
	cmd.Dir, cmd.Env = dir, append(slices.Clip(j.environ), insideJudge+"=1", "PWD="+dir)
	cmd.SysProcAttr = diesWithParent()
	cmd.WaitDelay = spec.PipeGrace
	stdout, stderr := &bounded{most: judge.MaxOutput, over: cancel}, &bounded{most: 4 << 10}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(prompt), stdout, stderr
	err := cmd.Run()
	program := j.words[0]
	switch {
	case stdout.dropped:
		fault = fmt.Errorf("the output of %s is above %d MiB", program, judge.MaxOutput>>20)
	case errors.Is(err, osexec.ErrWaitDelay): // it has ended, and left a child that holds its output
	case err != nil:
		fault = fmt.Errorf("%s: %w%s", program, err, firstLine(stderr.kept))
	}
	return stdout.kept, fault
}

// firstLine returns the first line of stderr that is not empty, after a colon.
func firstLine(text []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(text), "\ufffd")), "\n")
	if line == "" {
		return ""
	}
	return ": " + term.CutTo(term.Cell(line), 200)
}

// bounded keeps the first bytes that are written to it.
type bounded struct {
	kept    []byte
	most    int
	dropped bool
	over    func() // called when bytes are dropped; may be nil
}

func (b *bounded) Write(p []byte) (int, error) {
	room := min(len(p), b.most-len(b.kept))
	b.kept = append(b.kept, p[:room]...)
	if room < len(p) && !b.dropped {
		b.dropped = true
		if b.over != nil {
			b.over()
		}
	}
	return len(p), nil
}

// answer prints the answer in the format's form, or in that of --protocol.
func (j *judging) answer(a protocol.Answer, warnings []string) (status int, err error) {
	env := j.env
	if a.Decision != protocol.NoOpinion {
		a.Reason = cmp.Or(strings.TrimSpace(a.Reason), "the model objects, and gives no reason")
	}
	if j.call == nil {
		env.warnAll(warnings)
		text, err := a.MarshalJSON()
		if err == nil {
			_, err = fmt.Fprintf(env.Stdout, "%s\n", text)
		}
		return spec.ExitContinue, err
	}
	out := j.call.Encode(agent.Verdict{Answer: a, Hook: env.Getenv("AGENT_HOOKS_HOOK")})
	if out.Status == spec.ExitBlock {
		_, err = io.WriteString(env.Stderr, out.Stderr+"\n") // only the reason
		return out.Status, err
	}
	env.warnAll(append(warnings, out.Warnings...))
	_, err = env.Stdout.Write(out.Stdout)
	return out.Status, err
}
