package shell

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
)

// named returns the texts that something names a command: a variable, an option or a
// setting such as GIT_SSH_COMMAND, --to-command or core.pager, and a call such as
// os.system in a literal program.
func (r *Reader) named() (all []handover) {
	for i := range r.Commands {
		c := &r.Commands[i]
		text := func(t string) {
			t = strings.TrimLeft(t, "!|")
			if strings.ContainsAny(t, " \t\n") && t[0] != '"' {
				all = append(all, handover{args: []word{{text: t}}, at: site{inside: i + 1}, line: i + 1, text: true})
			}
		}
		for _, a := range c.Assigns {
			if name, value, _ := strings.Cut(a, "="); saysCommand(name) {
				if end := len(value) - 1; end > 0 && value[0] == value[end] && strings.IndexByte(`'"`, value[0]) >= 0 {
					value = value[1:end]
				}
				text(value)
			}
		}
		if len(c.Words) == 0 || prints(Program(c.Words[0])) && !slices.Contains(declarations[:], c.Words[0]) {
			continue
		}
		for j, w := range c.Words[1:] {
			if name, value, ok := strings.Cut(w, "="); ok && saysCommand(name) {
				if before, after, ok := strings.Cut(value, "="); ok && isPlain(before) { // --checkpoint-action=exec=TEXT
					value = after
				}
				text(value)
			} else if before := c.Words[j]; j > 0 && strings.ContainsAny(before, "-._") && saysCommand(before) {
				text(w)
			}
		}
	}
	for _, program := range r.Programs() {
		for _, args := range started(program) {
			all = append(all, handover{args: args, line: 1})
		}
	}
	return all
}

// saysCommand reports whether the value of a variable, an option or a setting of a name
// is a command.
func saysCommand(name string) bool {
	name = strings.ToLower(name)
	return !strings.Contains(name, " ") && slices.ContainsFunc([]string{"command", "cmd", "exec", "editor", "visual", "pager", "filter", "program", "-pack", "rsh", "action", "external", "askpass", "shell", "helper", "monitor", "browser", "lessopen", "-pre"}, func(part string) bool { return strings.Contains(name, part) })
}

// escapes records the commands in the operands and the input of a program that has a
// language of its own, in which !COMMAND, .shell COMMAND and the like run one, and the
// texts in the options of any program whose operands are not prose.
func (r *Reader) escapes(name string, args []word, at site) {
	p, listed := program.Of(name)
	mayRun := p.Is&program.MayRun != 0
	if p.Is&program.Prose != 0 || p.Runs&program.Script != 0 {
		return
	}
	hand := func(text string) {
		r.handovers = append(r.handovers, handover{args: []word{{text: text}}, at: site{inside: at.inside}, line: at.inside, text: true})
	}
	own := IsInterpreter(name) && name != "tclsh" // no line of its language begins with a command
	for i, a := range args {
		if strings.ContainsAny(a.text, "('\"`") && !a.unknown {
			for _, words := range started(a.text) {
				r.handovers = append(r.handovers, handover{args: words, at: site{inside: at.inside}, line: at.inside})
			}
		}
		before := ""
		if i > 0 && strings.HasPrefix(args[i-1].text, "-") {
			before = args[i-1].text
		}
		if own || a.unknown || program.TakesProse(before) || before != "" && p.TakesText(before) {
			continue
		}
		option, value, attached := strings.Cut(a.text, "=")
		switch {
		case !strings.HasPrefix(a.text, "-"):
			option, value = before, a.text
		case !attached && len(a.text) > 2 && a.text[1] != '-':
			option, value = a.text[:2], a.text[2:]
		}
		if option != "" && !program.TakesProse(option) && isText(value) && (listed && !mayRun || option != before) {
			hand(value)
		}
		for line := range strings.Lines(a.text) {
			if text := escape(line, strings.HasSuffix(name, "sed")); text != "" {
				hand(text)
			}
		}
	}
	if own || listed && !mayRun && p.Operands != Reads|Writes {
		return
	}
	for _, w := range at.input {
		for line := range strings.Lines(w.text) {
			text := escape(line, false)
			if plain := strings.TrimLeft(line, "\t@*0123456789,/- "); text == "" && line[0] != ' ' && isText(plain) {
				text = plain
			}
			if text != "" && !w.unknown {
				hand(text)
			}
		}
	}
}

// verbs begin a line of a program's own language in which a command follows.
var verbs = [...]string{"shell", "system", "exec", "spawn", "sh", "term", "terminal"}

// escape returns the command that follows a ! or a verb at the beginning of a line in a
// program's own language, or sed's e; "" if there is none.
func escape(line string, sed bool) string {
	line = strings.TrimSpace(strings.TrimLeft(line, " \t:+%\\.("))
	if before, after, ok := strings.Cut(line, "!"); ok && !strings.HasPrefix(after, "=") && len(before) <= len("silent ") && !strings.ContainsFunc(before, func(c rune) bool { return c != ' ' && !unicode.IsLetter(c) }) {
		return strings.TrimSpace(after)
	}
	verb, rest, _ := strings.Cut(line, " ")
	if slices.Contains(verbs[:], strings.ToLower(verb)) {
		return strings.TrimSpace(rest)
	}
	if !sed || line == "" {
		return ""
	}
	if at := strings.IndexByte(line, 's'); at >= 0 && at+1 < len(line) {
		if parts := strings.Split(line[at+2:], line[at+1:at+2]); len(parts) == 3 {
			flags, _, _ := strings.Cut(strings.TrimRight(parts[2], "} "), ";")
			if strings.Contains(flags, "e") && strings.Trim(flags, "egipmIM0123456789") == "" {
				return parts[1]
			}
		}
	}
	if address, command, ok := strings.Cut(line, "e "); ok && strings.Trim(address, "0123456789,$ {;") == "" {
		return command
	}
	return ""
}

// starters are parts of the names of functions that start a program.
var starters = [...]string{"system", "exec", "spawn", "popen", "run", "call", "output", "shell", "command"}

// started returns the commands in the string literals that a program for an interpreter
// hands to a function that starts one, as one text or as a list of words, between
// backticks, and at a pipe. If such a function has an argument that is no literal, each
// literal that is a value may be a command.
func started(program string) (all [][]word) {
	program = requoted(strings.NewReplacer(`"""`, `"`, "'''", "'").Replace(program))
	values := startsValue(program)
	var list []word // the words so far
	runs := false   // as a command
	for {
		at := strings.IndexAny(program, "'\"`")
		if at < 0 {
			return all
		}
		end := strings.IndexByte(program[at+1:], program[at])
		if end < 0 {
			return all
		}
		before, literal, after := strings.TrimRight(program[:at], " \n\trbfu"), word{text: program[at+1 : at+1+end]}, strings.TrimLeft(program[at+end+2:], " \n\t")
		bare := strings.TrimRight(before, " [*")
		isList := len(bare) < len(before)
		if list == nil || !continues(before) {
			name, isCall := calls(bare)
			list, runs = nil, isCall && isStarter(name) || slices.Contains(starters[:3], name) || strings.Contains(name, "shell-command") || name == "script" || // Ruby, Perl, Lisp and AppleScript need no parentheses
				values && !strings.HasSuffix(bare, "==") && !strings.HasSuffix(bare, "!=") && strings.HasSuffix(bare, "=")
		}
		text, piped := strings.CutSuffix(strings.TrimPrefix(literal.text, "|"), "|")
		piped = piped || text != literal.text || strings.HasSuffix(before, "|") && !strings.HasSuffix(before, "||") || strings.HasPrefix(after, "|") && !strings.HasPrefix(after, "||")
		list = append(list, literal)
		if program[at] == '`' || piped || runs && !isList && len(list) == 1 {
			all = append(all, []word{{text: text}})
		}
		if runs && !strings.HasPrefix(after, ",") {
			all, list = append(all, list), nil
		}
		program = program[at+end+2:]
	}
}

// continues reports whether a literal after a text is in the same list, or in the list of
// an argument with a name, as the literal before that text.
func continues(before string) bool {
	before = strings.TrimRight(before, " \n\t[(*")
	if name, ok := strings.CutSuffix(strings.TrimSuffix(before, "="), ":"); ok || name != before {
		before = strings.TrimRight(strings.TrimRightFunc(name, isNamePart), " \n\t{")
	}
	return strings.HasSuffix(before, ",")
}

// calls returns the name at the end of a text, and whether its arguments follow.
func calls(text string) (name string, isCall bool) {
	if at := strings.LastIndexByte(text, '('); at >= 0 { // run(args=
		if argument := strings.TrimRight(text[at+1:], " =:"); strings.TrimFunc(argument, isNamePart) == "" {
			text, isCall = strings.TrimRight(text[:at], " "), true
		}
	}
	return strings.ToLower(text[strings.LastIndexFunc(text, func(c rune) bool { return c != '-' && !isNamePart(c) })+1:]), isCall
}

func isNamePart(c rune) bool { return c == '_' || unicode.IsLetter(c) }

// isStarter reports whether a function of a name starts a program.
func isStarter(name string) bool {
	return slices.ContainsFunc(starters[:], func(s string) bool { return strings.Contains(name, s) })
}

// startsValue reports whether a program has a function that starts a program, with an
// argument that is no literal.
func startsValue(program string) bool {
	own := strings.Contains(program, "subprocess") || strings.Contains(program, "child_process")
	for {
		before, after, ok := strings.Cut(program, "(")
		if !ok {
			return false
		}
		name, _ := calls(before)
		argument := strings.TrimLeft(after, " \n\t[*(frbu")
		if isStarter(name) && (own || strings.Contains(name, "system") || strings.Contains(name, "popen") || strings.Contains(name, "spawn")) && argument != "" && !strings.ContainsAny(argument[:1], "'\"`)") {
			return true
		}
		program = after
	}
}

// requoted returns a program with the lists and commands of Perl and Ruby that have
// quotes of their own, such as qw(a b), %w[a b] and %x(a b), as usual literals.
func requoted(program string) string {
	for _, own := range [...]string{"qw", "%w", "%W", "qx", "%x"} {
		for i, open := range "([{</" {
			begin := own + string(open)
			before, after, found := strings.Cut(program, begin)
			inside, rest, closed := strings.Cut(after, ")]}>/"[i:i+1])
			switch {
			case !found || !closed || before != "" && isNamePart(rune(before[len(before)-1])):
			case own[1] == 'x':
				program = before + "`" + inside + "`" + rest
			default:
				program = before + `"` + strings.Join(strings.Fields(inside), `", "`) + `"` + rest
			}
		}
	}
	return program
}
