package shell

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
)

// handover is what a program that is in no table, or is not known (D121), may run of its operands (D98).
type handover struct {
	program string
	args    []word
	at      site
	line    int  // of the program's command
	text    bool // the only argument is a command, whatever it begins with
	begun   int  // the operands before the first that says that a command follows, or all
}

// handOn records the operands of a program, for Handed. Of $(which NAME), it is the name.
func (r *Reader) handOn(program string, args []word, at site) {
	if handsNothing(Program(program)) {
		return
	}
	args = slices.Clone(args)
	for i, a := range args {
		if name := a.finds(); name != "" {
			args[i] = word{text: name}
		}
	}
	r.handovers = append(r.handovers, handover{program: program, args: args, at: at, line: at.inside})
}

// finds returns the name of the program of which a word such as $(which NAME) is the path; ""
// if it is no such word.
func (w word) finds() string {
	words := strings.Fields(strings.Trim(w.text, "$()`"))
	if !w.unknown || len(words) < 2 || !slices.Contains([]string{"which", "command", "type", "whence"}, words[0]) {
		return ""
	}
	return words[len(words)-1]
}

// Handed returns the commands that programs which are in no table may run: the
// words of such a program from the name of a known program on, and each operand
// that is a shell text beginning with one, read like any command. So npm publish
// is among the lines of entr npm publish, and of entr 'npm publish'. It is a guess
// that supports no allow. The error is a *Note.
func (r *Reader) Handed() (lines []Invocation, err error) {
	seen := map[string]bool{}
	var unlisted error
	err = r.eachHanded(func(guess *Reader, line int) {
		unlisted = cmp.Or(unlisted, guess.Unlisted())
		for _, l := range guess.Invocations() {
			l.Command = line - 1
			if key := fmt.Sprint(l.Words, l.Pieces); !seen[key] {
				seen[key] = true
				lines = append(lines, l)
			}
		}
	})
	return lines, cmp.Or(err, unlisted)
}

// Limits of what unknown programs may run.
const (
	maxHanded = 1000 // commands and texts
	maxBegun  = 16   // that begin in the operands of one command
)

// eachHanded calls visit for the readings of what unknown programs may run, with
// the line of the program's command. The error is the first *Note of a reading.
func (r *Reader) eachHanded(visit func(guess *Reader, line int)) (err error) {
	guess := &Reader{fills: true}
	seen := map[string]bool{}
	work := 0 // words
	for queue := append(slices.Clip(r.handovers), r.named()...); len(queue) > 0; queue = queue[1:] {
		h := queue[0]
		for h.begun < len(h.args) && !slices.Contains(begins[:], h.args[h.begun].text) {
			h.begun++
		}
		found := 0
		for i := 0; i < len(h.args) && !r.functions[h.program]; i++ { // the body of a function is read
			work += len(h.args) - i
			if work > maxCopied {
				return &Note{Cause: "its operands may be too many commands"}
			}
			words, text := h.reading(i)
			var all strings.Builder
			for _, w := range words {
				all.WriteString(w.text + "\x00")
			}
			key := all.String() + text
			if key == "" || seen[key] {
				continue
			}
			seen[key] = true
			if len(seen) > maxHanded {
				return &Note{Cause: fmt.Sprintf("it has more than %d texts that may be commands", maxHanded)}
			}
			found++
			if found > maxBegun {
				err = cmp.Or(err, error(&Note{Cause: fmt.Sprintf("more than %d commands may begin in the operands of %s", maxBegun, h.program)}))
				break
			}
			if words == nil && !parse.Parses(text) { // it is prose
				continue
			}
			guess = &Reader{fills: true, copied: guess.copied + len(key)/8, bytes: guess.bytes}
			at := site{reads: h.at.reads, printed: h.at.printed, more: h.at.more}
			for _, w := range h.at.input {
				w.since = 0
				at.input = append(at.input, w)
			}
			guess.reading(text, func() {
				if words != nil {
					guess.call(words, nil, at)
				} else {
					guess.text(text, at)
				}
			})
			err = cmp.Or(err, guess.unread())
			visit(guess, h.line)
			for _, next := range append(guess.handovers, guess.named()...) {
				next.line = h.line
				queue = append(queue, next)
			}
		}
	}
	return err
}

// reading returns the command that begins in an operand, as words or as a text; neither
// if none does.
func (h *handover) reading(i int) (words []word, text string) {
	w := h.args[i]
	if h.text {
		return nil, w.text
	}
	if !w.unknown && !w.glob && h.mayRun(i) {
		words = slices.Clone(h.args[i:])
		for j := range words {
			words[j].filled = words[j].filled || hasPlaceholder(words[j].text)
		}
		return words, ""
	}
	text = w.text
	if option, value, ok := strings.Cut(text, "="); ok && strings.HasPrefix(option, "-") {
		if program.TakesProse(option) {
			return nil, ""
		}
		text = value
	}
	if i > 0 && program.TakesProse(h.args[i-1].text) || h.isData(i) || !isText(text) {
		return nil, ""
	}
	return nil, text
}

// mayRun reports whether an operand may be the name of a program that runs with the
// operands after it. A name alone is only a name. docker rm and aws s3 cp have
// subcommands with the names of programs for files, and npm view npm has the name of a
// package.
func (h *handover) mayRun(i int) bool {
	name := h.args[i].text
	if i == len(h.args)-1 && !h.at.more || !isProgram(name) || name == "env" || name == "eval" {
		return false
	}
	launcher := Program(h.program)
	return !isProgram(launcher) || IsInterpreter(launcher) || h.begun < i ||
		!isFileTool(name) && !h.isData(i)
}

// begins are operands that say that a command follows.
var begins = [...]string{"--", "run", "exec", "ssh", "shell"}

// isData reports whether an operand follows a subcommand or another name, so that it is
// about a text: explain "rm -rf /".
func (h *handover) isData(i int) bool {
	if i == 0 || !isPlain(h.args[i-1].text) {
		return false
	}
	return h.begun >= i && (i < 2 || !strings.HasPrefix(h.args[i-2].text, "-"))
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
			p, _ := program.Of(word)
			return isProgram(word) || word == "cd" || len(word) > 1 && p.Runs&(program.Command|program.Joined) != 0
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
