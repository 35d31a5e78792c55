package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/author/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// asker prompts on the terminal for what has no default. Prompts are written to stderr.
type asker struct {
	env   *Env
	lines *bufio.Reader
}

// ask prompts until check accepts the answer. An empty answer means the default. The end of
// input is an error; nothing has been written then.
func (a *asker) ask(question, usual string, check func(string) error) (string, error) {
	if usual != "" {
		question += " [" + usual + "]"
	}
	for {
		fmt.Fprintf(a.env.Stderr, "%s: ", question)
		line, err := a.lines.ReadString('\n')
		if err != nil {
			fmt.Fprintln(a.env.Stderr)
			return "", errors.New("no answer; nothing was written")
		}
		answer := cmp.Or(strings.TrimSpace(line), usual)
		err = check(answer)
		if err == nil {
			return answer, nil
		}
		text := err.Error()
		if p := (*scaffold.Problem)(nil); errors.As(err, &p) && p.Instead != "" {
			text += "; " + p.Instead + " would do"
		}
		fmt.Fprint(a.env.Stderr, a.env.paragraph(a.env.Stderr, 4, "  "+term.Printable(text)))
	}
}

// event prompts for the trigger, by name or number.
func (a *asker) event() (event spec.EventType, err error) {
	t := term.Table{Right: []bool{true}}
	for i, info := range spec.Events() {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("  %2d", i+1), string(info.Event), info.When})
	}
	fmt.Fprint(a.env.Stderr, "When does it run?\n"+t.Text(a.env.width(a.env.Stderr), nil))
	_, err = a.ask("Event", string(spec.PreToolCall), func(answer string) (err error) {
		event, err = numberedEvent(answer)
		return err
	})
	return event, err
}

func numberedEvent(answer string) (spec.EventType, error) {
	all := spec.Events()
	if n, err := strconv.Atoi(answer); err == nil && 0 < n && n <= len(all) {
		return all[n-1].Event, nil
	}
	if event := spec.EventType(answer); event.Valid() {
		return event, nil
	}
	near, _ := near.Event(answer)
	return "", &scaffold.Problem{Option: "trigger", Message: fmt.Sprintf("there is no event %q", answer), Instead: string(near)}
}
