package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// asker prompts on the terminal. Prompts are written to stderr.
type asker struct {
	env   *Env
	lines *bufio.Reader
}

func newAsker(env *Env) *asker { return &asker{env, bufio.NewReader(env.Stdin)} }

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
			return "", errors.New("new: no answer; nothing was written")
		}
		answer := cmp.Or(strings.TrimSpace(line), usual)
		err = check(answer)
		if err == nil {
			return answer, nil
		}
		a.say(err)
	}
}

// say prints the error in an answer, and a valid answer.
func (a *asker) say(err error) {
	text := err.Error()
	var p *scaffold.Problem
	if errors.As(err, &p) && p.Instead != "" {
		text += "; " + p.Instead + " would do"
	} else if p != nil && p.Hint != "" {
		text += "; " + p.Hint
	}
	var u usageError
	if errors.As(err, &u) && u.hint != "" {
		text += "; " + u.hint
	}
	fmt.Fprint(a.env.Stderr, a.env.paragraph(a.env.Stderr, 4, "  "+term.Printable(text)))
}

// event prompts for the trigger, by name or number.
func (a *asker) event() (event spec.EventType, err error) {
	c := term.Columns{Right: []bool{true}, Most: a.env.width(a.env.Stderr)}
	var rows [][]string
	for i, info := range spec.Events() {
		row := []string{fmt.Sprintf("  %2d", i+1), string(info.Event), info.When}
		c.Fit(row)
		rows = append(rows, row)
	}
	fmt.Fprintln(a.env.Stderr, "When does it run?")
	for _, row := range rows {
		fmt.Fprint(a.env.Stderr, c.Wrapped(row, term.Unpainted))
	}
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

// scope prompts for the hook's scope.
func (a *asker) scope(p *hookPlace, project string) error {
	fmt.Fprintf(a.env.Stderr, "Whom is it for?\n  project  %s\n  user     %s\n", a.env.short(project), a.env.short(p.hooks))
	_, err := a.ask("Scope", string(discovery.ProjectScope), func(answer string) error {
		switch near, _ := near.Word(answer, []string{string(discovery.ProjectScope), string(discovery.UserScope)}); near {
		case string(discovery.ProjectScope):
			p.scope, p.hooks = discovery.ProjectScope, project
		case string(discovery.UserScope):
		default:
			return errors.New("project or user")
		}
		return nil
	})
	return err
}

// complete prompts for the options that the flags do not set.
func (a *asker) complete(o scaffold.Options, given newFlags) (scaffold.Options, error) {
	if given.lang == "" {
		question := "Language (" + strings.Join(scaffold.Languages(), ", ") + ")"
		if err := a.option(question, usualLanguage(), &o, &o.Language); err != nil {
			return o, err
		}
	}
	if !o.Trigger.IsTool() {
		return o, nil
	}
	if !given.tool.given {
		if err := a.option("Tool (a name or a regular expression; all)", usualTool, &o, &o.Tool); err != nil {
			return o, err
		}
	}
	if given.pattern == "" {
		err := a.option("Only input that this regular expression is found in (empty: any)", "", &o, &o.Pattern)
		if err != nil {
			return o, err
		}
	}
	if problem, _ := tried(o); problem != "example" || o.Example != "" {
		return o, nil
	}
	return o, a.option("A text in which it is found", "", &o, &o.Example)
}

// option prompts for one of the options, and checks each answer immediately. The example
// is the last question, so that an answer is valid without it.
func (a *asker) option(question, usual string, o *scaffold.Options, option *string) error {
	_, err := a.ask(question, usual, func(answer string) error {
		*option = answer
		if option == &o.Tool && answer == "all" {
			*option = ""
		}
		problem, err := tried(*o)
		if problem == "example" && option != &o.Example {
			return nil
		}
		return err
	})
	return err
}

// tried returns the error in the options, and the option that has it.
func tried(o scaffold.Options) (option string, err error) {
	o.Language = cmp.Or(o.Language, usualLanguage())
	_, err = scaffold.New(o)
	var p *scaffold.Problem
	if errors.As(err, &p) {
		option = p.Option
	}
	return option, err
}
