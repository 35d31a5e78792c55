package shell

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// handover is what a program that is in no table may run of its operands (D98).
type handover struct {
	program string
	args    []word
	at      site
	line    int // of the program's command
}

// handOn records the operands of a program, for Handed.
func (r *Reader) handOn(word string, args []word, at site) {
	if !handsNothing(Program(word)) {
		r.handovers = append(r.handovers, handover{word, args, at, at.inside})
	}
}

// Handed returns the commands that programs which are in no table may run: the
// words of such a program from the name of a known program on, and each operand
// that is a shell text beginning with one, read like any command. So npm publish
// is among the lines of entr npm publish, and of entr 'npm publish'. It is a guess
// that supports no allow. The error is an *Unreadable.
func (r *Reader) Handed() (lines []Invocation, err error) {
	seen := map[string]bool{}
	err = r.eachHanded(func(guess *Reader, line int) error {
		more, err := guess.Invocations()
		for _, l := range more {
			l.Command = line - 1
			if key := fmt.Sprint(l.Words, l.Pieces); !seen[key] {
				seen[key] = true
				lines = append(lines, l)
			}
		}
		return err
	})
	return lines, err
}

// eachHanded calls visit for the readings of what unknown programs may run, with
// the line of the program's command, until visit or a reading fails.
func (r *Reader) eachHanded(visit func(guess *Reader, line int) error) (err error) {
	guess := &Reader{fills: true}
	seen := map[string]bool{}
	for queue := append(slices.Clip(r.handovers), r.named()...); len(queue) > 0 && err == nil; queue = queue[1:] {
		h := queue[0]
		for i := 0; i < len(h.args) && err == nil && !r.functions[h.program]; i++ { // the body of a function is read
			read, key := h.reading(i)
			if read == nil || seen[key] {
				continue
			}
			seen[key] = true
			guess = &Reader{fills: true, copied: guess.copied + len(key)/8, bytes: guess.bytes}
			err = guess.caught(func() { read(guess) })
			err = cmp.Or(err, visit(guess, h.line))
			for _, next := range guess.handovers {
				next.line = h.line
				queue = append(queue, next)
			}
		}
	}
	return err
}

// named returns the texts that something names a command: a variable or an option such as
// GIT_SSH_COMMAND or --to-command, and a call such as os.system in a literal program.
func (r *Reader) named() (all []handover) {
	for i := range r.Commands {
		c := &r.Commands[i]
		text := func(t string) {
			if t = strings.TrimPrefix(t, "!"); isText(t) {
				all = append(all, handover{args: []word{{text: t}}, at: site{inside: i + 1}, line: i + 1})
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
		if len(c.Words) == 0 || slices.Contains(printers[:9], Program(c.Words[0])) {
			continue
		}
		for j, w := range c.Words[1:] {
			if name, value, ok := strings.Cut(w, "="); ok && saysCommand(name) {
				if before, after, ok := strings.Cut(value, "="); ok && isPlain(before) { // --checkpoint-action=exec=TEXT
					value = after
				}
				text(value)
			} else if before := c.Words[j]; j > 0 && before[:min(1, len(before))] == "-" && saysCommand(before) {
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

// saysCommand reports whether the value of a variable or an option of a name is a command.
func saysCommand(name string) bool {
	name = strings.ToLower(name)
	return !strings.Contains(name, " ") && slices.ContainsFunc([]string{"command", "cmd", "exec", "editor", "visual", "pager", "filter", "program", "-pack", "rsh", "action", "external", "askpass"}, func(part string) bool { return strings.Contains(name, part) })
}

// starters are parts of the names of functions that start a program.
var starters = [...]string{"system", "exec", "spawn", "popen", "run", "call", "output", "shell"}

// started returns the commands in the string literals that a program for an interpreter
// hands to a function that starts one, as one text or as a list of words, and between
// backticks.
func started(program string) (all [][]word) {
	program = strings.NewReplacer(`"""`, `"`, "'''", "'").Replace(program)
	var list []word // the words so far
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
		call, isList := strings.CutSuffix(before, "[")
		call, isCall := strings.CutSuffix(strings.TrimRight(call, " "), "(")
		name := strings.ToLower(call[strings.LastIndexFunc(call, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) })+1:])
		starts := isCall && slices.ContainsFunc(starters[:], func(s string) bool { return strings.Contains(name, s) }) ||
			slices.Contains(starters[:3], name) // Ruby and Perl need no parentheses
		if list = append(list, literal); strings.TrimRight(before, " [") != "," {
			list = []word{literal}
		}
		if program[at] == '`' || starts && !isList {
			all = append(all, []word{literal})
		}
		if len(list) == 1 && !starts {
			list = nil
		}
		if list != nil && !strings.HasPrefix(after, ",") {
			all, list = append(all, list), nil
		}
		program = program[at+end+2:]
	}
}

// reading returns how to read the command that begins in an operand, and a key for
// it; nil if none does.
func (h *handover) reading(i int) (read func(*Reader), key string) {
	at := site{reads: h.at.reads, printed: h.at.printed, more: h.at.more}
	for _, w := range h.at.input {
		w.since = 0
		at.input = append(at.input, w)
	}
	w := h.args[i]
	if !w.unknown && !w.glob && h.mayRun(i) {
		words := slices.Clone(h.args[i:])
		var key strings.Builder
		for j := range words {
			words[j].filled = words[j].filled || hasPlaceholder(words[j].text)
			key.WriteString(words[j].text + "\x00")
		}
		return func(r *Reader) { r.call(words, nil, at) }, key.String()
	}
	text := w.text
	if option, value, ok := strings.Cut(text, "="); ok && strings.HasPrefix(option, "-") {
		if takesProse(option) {
			return nil, ""
		}
		text = value
	}
	if i > 0 && takesProse(h.args[i-1].text) || h.isData(i) || !isText(text) {
		return nil, ""
	}
	var parser Reader
	if parser.caught(func() { checkNesting(text); parse(text, parser.language()) }) != nil {
		return nil, "" // it is prose
	}
	return func(r *Reader) { r.text(text, at) }, text
}

// mayRun reports whether an operand may be the name of a program that runs with the
// operands after it. A name alone is only a name. docker rm and aws s3 cp have
// subcommands with the names of programs for files.
func (h *handover) mayRun(i int) bool {
	name := h.args[i].text
	if i == len(h.args)-1 && !h.at.more || !isProgram(name) || name == "env" || name == "eval" {
		return false
	}
	return !isFileTool(name) || !isProgram(Program(h.program)) || IsInterpreter(Program(h.program)) ||
		h.begins(i)
}

// begins reports whether one of the operands before i says that a command follows.
func (h *handover) begins(i int) bool {
	return slices.ContainsFunc(h.args[:i], func(a word) bool { return slices.Contains([]string{"--", "run", "exec", "ssh", "shell"}, a.text) })
}

// isData reports whether an operand follows a subcommand or another name, so that it is
// about a text: explain "rm -rf /".
func (h *handover) isData(i int) bool {
	if i == 0 || !isPlain(h.args[i-1].text) {
		return false
	}
	return !h.begins(i) && (i < 2 || !strings.HasPrefix(h.args[i-2].text, "-"))
}

// isPlain reports whether a word is no option and has only letters, digits, hyphens and
// underscores.
func isPlain(w string) bool {
	return w != "" && w[0] != '-' && !strings.ContainsFunc(w, func(c rune) bool { return c != '-' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// isText reports whether an operand is several words that begin with the name of a
// known program, after variables.
func isText(text string) bool {
	if !strings.ContainsAny(text, " \t\n") {
		return false
	}
	for word := range strings.FieldsSeq(text) {
		if !hasName(word) {
			return isProgram(word) || word == "cd" || findWrapper(word) != nil
		}
	}
	return false
}

// hasPlaceholder reports whether a program that completes a word may replace a part
// of it: {}, {.}, {1} and the like.
func hasPlaceholder(text string) bool {
	for {
		_, after, ok := strings.Cut(text, "{")
		if !ok {
			return false
		}
		if end := strings.IndexAny(after, "{}"); end >= 0 && after[end] == '}' && strings.Trim(after[:end], "0123456789.:/#%+=-n") == "" {
			return true
		}
		text = after
	}
}

// HandsOn reports whether a program that is in no table may run the one at index at
// of its words, for texts that are not parsed.
func HandsOn(words []string, at int) bool {
	name := strings.ToLower(words[at])
	if base := baseName(name); strings.HasSuffix(name, ".exe") || strings.HasSuffix(name, ".cmd") {
		name = base // C:\Program Files\nodejs\npm.cmd
	}
	return at > 0 && at < len(words)-1 && isProgram(name) && !handsNothing(Program(words[0]))
}
