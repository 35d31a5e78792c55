package shell

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
)

// launch reads the commands that a program runs in its operands and options, and reports whether its
// row says that it runs those operands, or an option has one. words begin with the program.
func (r *Reader) launch(p *program.Program, args program.Args, words []word, at site) bool {
	operands := p.Runs&(program.Command|program.Joined) != 0
	if !operands && !p.Has(program.Run|program.Tail|program.Exec) {
		return false
	}
	if found := r.commandOptions(p, args, words, at); found || !operands {
		return found
	}
	if p.Runs&program.Elsewhere != 0 { // in a directory that is not ours (D122)
		here := r.where.here
		r.where.here = []place{anywhere}
		defer func() { r.where.here = here }()
	}
	name := Program(words[0].text)
	end := len(words)
	if p.Runs&program.Arguments != 0 {
		end = r.listed(name, args, words, at)
	}
	at.more = at.more || p.Runs&program.Appends != 0
	r.checkSeveral(p, args, words)
	entry := -1
	args.Each(program.Entry, func(o *program.Given) { entry = o.At })
	before, found := len(r.Commands), false
	for n, i := range args.Starts {
		if entry >= 0 && entry < i {
			found = true
			r.entrypoint(args, words, min(i, end), at)
			continue
		}
		remote := p.Runs&program.Remote != 0
		if i >= end || (remote || n < len(args.Starts)-1) && strings.HasPrefix(words[i].text, "-") || remote && words[i].unknown {
			continue
		}
		found = true
		var assigns []string
		if p.Runs&program.Assigns != 0 {
			assigns = r.assignments(words[args.Start:i])
		}
		command := slices.Clone(words[i:end])
		if command[0].glob && !command[0].unknown && !r.vars.opaque && isName(command[0].text) && (args.Start > 1 || p.Runs&(program.Version|program.Remote) != 0) {
			command[0].glob = false // a file of a known name
		}
		if name, _, ok := strings.Cut(command[0].text[min(1, len(command[0].text)):], "@"); ok && p.Runs&program.Version != 0 && !command[0].unknown {
			command[0].text = command[0].text[:1] + name
		}
		replaced := replacement(args, words, i)
		switch {
		case p.Runs&program.Arguments != 0:
			for j := range command {
				if replaced != "" {
					command[j].text = strings.ReplaceAll(command[j].text, replaced, "{}")
				}
			}
			fills := r.fills
			r.fills = true
			r.static(name, r.joined(name, command, at), at)
			r.fills = fills
		case p.Runs&program.Joined != 0:
			r.static(name, r.joined(name, command, at), at)
		case p.Runs&program.Appends != 0:
			r.replaced(command, replaced, at)
		default:
			r.call(command, assigns, at)
		}
	}
	for i := before; p.Runs&program.Arguments != 0 && i < len(r.Commands); i++ {
		r.Commands[i].more = true
	}
	if !found && at.more && p.Runs&program.Appends == 0 {
		r.note("the command that %s runs comes from its input", name)
	}
	if !found && (p.Runs&program.Alone != 0 || args.Any(program.Shell)) {
		r.runShell(nil, at)
	}
	return true
}

// checkSeveral records words among the options of a program, and among its operands before the command,
// that may be several.
func (r *Reader) checkSeveral(p *program.Program, args program.Args, words []word) {
	if p.Runs&program.Remote != 0 || len(args.Starts) == 0 {
		return
	}
	last := args.Starts[len(args.Starts)-1]
	for i := args.Start; i < len(words) && (i < last || i == last && p.Skip == 0); i++ {
		if words[i].splits {
			r.note("an unquoted %s before the command of %s may be several words", excerpt(words[i].text), Program(words[0].text))
		}
	}
}

// assignments returns NAME=VALUE among words, and checks them.
func (r *Reader) assignments(words []word) (all []string) {
	for _, w := range words {
		if name, value, _ := strings.Cut(w.text, "="); isAssignment(w.text) {
			r.checkAssignment(name, word{text: value, unknown: w.unknown})
			all = append(all, w.text)
		}
	}
	return all
}

// entrypoint reads the program of docker run --entrypoint.
func (r *Reader) entrypoint(args program.Args, words []word, start int, at site) {
	args.Each(program.Entry, func(o *program.Given) {
		if w := argument(words, o); !w.unknown && w.text != "" {
			r.call(append([]word{w}, words[start:]...), nil, at)
		}
	})
}

// commandOptions reads the commands in the options of a program.
func (r *Reader) commandOptions(p *program.Program, args program.Args, words []word, at site) (found bool) {
	name := Program(words[0].text)
	args.Each(program.Run|program.Tail|program.Exec, func(o *program.Given) {
		found = true
		w := argument(words, o)
		switch {
		case o.Does&program.Exec != 0:
			if command := words[o.Value:o.End]; len(command) > 0 {
				each := at
				each.more = at.more || p.Runs&program.Appends != 0 && !slices.ContainsFunc(command, func(w word) bool { return hasPlaceholder(w.text) })
				r.replaced(command, "{}", each)
			}
		case o.Does&(program.Run|program.Tail) == program.Run|program.Tail: // env divides it as it does itself
			if strings.ContainsAny(w.text, "\\#") {
				r.note("the text that %s runs has a backslash or a comment: %s", name, excerpt(w.text))
			}
			r.static(name, r.joined(name, append([]word{w}, words[o.Value+1:o.End]...), at), at)
		case o.Does&program.Tail != 0:
			r.call(words[o.Value:o.End], nil, at)
		default:
			r.static(name, w, at)
		}
	})
	for i := range args.Options {
		if o := &args.Options[i]; o.Does&(program.Run|program.Attached) == program.Run && o.Value < 0 && at.more {
			r.note("the text that %s runs comes from its input", name)
		}
	}
	return found
}

// hasName reports whether a word whose value may be unknown begins with NAME=.
func hasName(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	names := parse.Names(name)
	return ok && len(names) == 1 && names[0] == name && (name[0] < '0' || name[0] > '9')
}

// isAssignment reports whether a word is NAME=value.
func isAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && name != "" && !strings.HasPrefix(name, "-")
}

// replacement returns the text that a program replaces in its command, which begins at an index.
func replacement(args program.Args, words []word, start int) (text string) {
	for i := range args.Options {
		o := &args.Options[i]
		switch {
		case o.Does&program.Replaces == 0 || o.At >= start || text != "":
		case o.Value < 0 && o.Does&program.Attached != 0:
			text = "{}"
		case o.Value >= 0 && o.Value < start: // otherwise it is the argument of another option
			text = argument(words, o).text
		}
	}
	return text
}

// listed reads the commands after ::: of a program without a command, and returns where its command ends.
func (r *Reader) listed(name string, args program.Args, words []word, at site) (end int) {
	last := args.Starts[len(args.Starts)-1]
	for i, w := range words {
		if !strings.HasPrefix(w.text, ":::") {
			continue
		}
		if last < i {
			return i
		}
		for _, text := range words[i+1:] {
			r.static(name, text, at)
		}
		return 0
	}
	if last >= len(words) {
		r.note("the commands that %s runs come from its input", name)
	}
	return len(words)
}

// gitAliases reads the commands of git's aliases, which -c and git config define.
func (r *Reader) gitAliases(args []word, at site) {
	for i, a := range args {
		text := strings.TrimPrefix(a.text, "-c")
		if a.unknown || len(text) < len("alias.x") || !strings.EqualFold(text[:len("alias.")], "alias.") {
			continue
		}
		value := word{}
		if _, after, ok := strings.Cut(text, "="); ok {
			value.text = after
		} else if i+1 < len(args) {
			value = args[i+1]
		}
		if script, ok := strings.CutPrefix(value.text, "!"); ok {
			value.text = script
			r.system(value, at)
		} else if !value.unknown && value.text != "" {
			words := []word{{text: "git"}}
			for _, w := range strings.Fields(value.text) {
				words = append(words, word{text: w})
			}
			r.call(append(words, word{text: "...", unknown: true}), nil, at)
		}
	}
}

// panes reads the texts in tmux's commands, which ; separates.
func (r *Reader) panes(words []word, at site) {
	tmux := words[0]
	for args := words[1:]; len(args) > 0; {
		end := slices.IndexFunc(args, func(a word) bool { return a.text == ";" && !a.unknown })
		if end < 0 {
			end = len(args)
		}
		one := append([]word{tmux}, args[:end]...)
		if p, parsed, _ := program.Parse(given(one)); len(parsed.Starts) > 0 {
			last := min(parsed.Starts[len(parsed.Starts)-1], len(one))
			if p.Runs&program.Typed != 0 {
				r.keys(one[last:], at)
			} else if last < len(one) {
				r.system(r.joined(one[0].text, one[last:], at), at)
			}
		}
		args = args[min(end+1, len(args)):]
	}
}

// keys reads the lines that send-keys types. What cannot be parsed is a text.
func (r *Reader) keys(args []word, at site) {
	var line []word
	for _, a := range args {
		switch a.text {
		case "Enter", "C-m", "KPEnter":
			text := ""
			for _, w := range line {
				text += w.text
			}
			if parse.Parses(text) {
				r.system(word{text: text}, at)
			}
			line = nil
		case "Space":
			line = append(line, word{text: " "})
		default:
			line = append(line, a)
		}
	}
}
