package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Inside is the variable that a judge sets for its program. It does not begin
// with AGENT_HOOKS_, so that it passes a run of hooks (D22).
const Inside = "INSIDE_AGENT_HOOKS_JUDGE"

// Program is the program that answers.
type Program struct {
	Words   []string // its path and its arguments
	Environ []string
	Dir     string // of the user's hooks.toml: in the project, an agent would read the instructions of the repository that it judges
}

// Judge asks the program, and returns its answer as Prompt.Read does.
func (p *Program) Judge(ctx context.Context, prompt *Prompt, own Restrict) (protocol.Answer, []string, error) {
	output, fault := p.ask(ctx, prompt.Text)
	if ctx.Err() != nil {
		return protocol.Answer{}, nil, context.Cause(ctx)
	}
	answer, warnings, err := prompt.Read(output, own)
	if fault != nil && (answer.Decision != protocol.NoOpinion || answer.Stop) { // it counts despite any fault (D25)
		return answer, append(warnings, fault.Error()), nil
	}
	err = cmp.Or(fault, err)
	const most = 120
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(output[:min(len(output), 2*most)]), "\ufffd")), " ")
	if errors.Is(err, ErrNoAnswer) && text != "" {
		err = fmt.Errorf("%w: %q", err, term.CutTo(text, most))
	}
	return answer, warnings, err
}

// ask runs the program. It stays in this process's group, so that whoever stops the
// hook stops it, too. fault is why the output may be incomplete.
func (p *Program) ask(ctx context.Context, prompt string) (output []byte, fault error) {
	runtime.LockOSThread() // the program dies with the thread that started it
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.Words[0], p.Words[1:]...)
	cmd.Dir, cmd.Env = p.Dir, append(slices.Clip(p.Environ), Inside+"=1", "PWD="+p.Dir)
	cmd.SysProcAttr = diesWithParent()
	cmd.WaitDelay = spec.PipeGrace
	stdout, stderr := &bounded{most: MaxOutput, over: cancel}, &bounded{most: 4 << 10, over: func() {}}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(prompt), stdout, stderr
	err := cmd.Run()
	switch {
	case stdout.dropped:
		fault = fmt.Errorf("the output of %s is above %d MiB", p.Words[0], MaxOutput>>20)
	case errors.Is(err, exec.ErrWaitDelay): // it has ended, and left a child that holds its output
	case err != nil:
		fault = fmt.Errorf("%s: %w", p.Words[0], err)
		line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(stderr.kept), "\ufffd")), "\n")
		if line != "" {
			fault = fmt.Errorf("%w: %s", fault, term.CutTo(term.Cell(line), 200))
		}
	}
	return stdout.kept, fault
}

// bounded keeps the first bytes that are written to it.
type bounded struct {
	kept    []byte
	most    int
	dropped bool
	over    func() // called when bytes are dropped
}

func (b *bounded) Write(p []byte) (int, error) {
	room := min(len(p), b.most-len(b.kept))
	b.kept = append(b.kept, p[:room]...)
	if room < len(p) && !b.dropped {
		b.dropped = true
		b.over()
	}
	return len(p), nil
}
