package shell

import (
	"slices"
	"strings"
)

// wrapper is a program that runs the command in its arguments.
type wrapper struct {
	name  string
	short string // its options in getopt syntax: a colon follows one with an argument
	long  string // long options without an argument, separated by spaces
	skip  int    // operands before the command
	text  bool   // the arguments are joined to a shell text

	sub     string // the subcommand that runs a command, one or two words
	value   string // long options with an argument
	texts   string // options whose argument is a shell text
	dashes  bool   // the command follows --, if there is one
	version bool   // the command's name may have a version: npm@latest
	remote  bool   // it runs the command elsewhere: words that only the shell knows count as one word each
}

// findWrapper returns the wrapper of a name; nil if there is none.
func findWrapper(name string) *wrapper {
	for i := range wrappers {
		if wrappers[i].name == name {
			return &wrappers[i]
		}
	}
	return nil
}

// runsShell reports whether a wrapper without a command runs a shell.
func (w *wrapper) runsShell(args []word) bool {
	switch w.name {
	case "chroot", "unshare", "nsenter", "ssh", "pkexec":
		return true
	case "sudo", "doas":
		return slices.ContainsFunc(args, func(a word) bool {
			long := len(a.text) > 3 && (strings.HasPrefix("--shell", a.text) || strings.HasPrefix("--login", a.text))
			return long || strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "--") && strings.ContainsAny(a.text, "si")
		})
	}
	return false
}

// launched reads the commands that a launcher runs, and reports whether it is
// one.
func (r *Reader) launched(name string, args []word, at site) bool {
	var seen []int // a subcommand of two words precedes its second word in the table
	for i := range launchers {
		w := &launchers[i]
		if w.name != name {
			continue
		}
		if rest, ok := w.after(args); ok && !slices.Contains(seen, len(rest)) {
			seen = append(seen, len(rest))
			r.launch(w, rest, at)
		}
	}
	return len(seen) > 0
}

// after returns the arguments after the subcommand.
func (w *wrapper) after(args []word) (rest []word, ok bool) {
	for sub := range strings.FieldsSeq(w.sub) {
		i := slices.IndexFunc(args, func(a word) bool { return !a.unknown && a.text == sub })
		if i < 0 {
			return nil, false
		}
		args = args[i+1:]
	}
	return args, true
}

// launch reads the command in the arguments of a program that runs it.
func (r *Reader) launch(w *wrapper, args []word, at site) {
	if w.name == "parallel" {
		args = r.parallel(args, at)
	}
	if r.launchTexts(w, args, at) || w.texts != "" && !w.version && !w.dashes {
		return
	}
	at.more = at.more || w.name == "xargs"
	starts := []int{}
	if i := slices.IndexFunc(args, func(a word) bool { return a.text == "--" }); w.dashes && i >= 0 {
		starts = append(starts, i+1)
	} else {
		starts = r.starts(w, args)
	}
	entry := slices.IndexFunc(args, func(a word) bool { return w.sub == "run" && strings.HasPrefix(a.text, "--entrypoint") })
	before, found := len(r.Commands), false
	for n, i := range starts {
		if entry >= 0 && entry < i {
			found = true
			r.entrypoint(w, args, entry, i, at)
			continue
		}
		if i >= len(args) || (w.remote || n < len(starts)-1) && strings.HasPrefix(args[i].text, "-") || w.remote && args[i].unknown {
			continue
		}
		found = true
		for _, a := range args[:i] {
			if name, value, ok := strings.Cut(a.text, "="); ok && w.skipsAssignments() && isAssignment(a.text) {
				r.checkAssignment(name, word{text: value, unknown: a.unknown})
			}
		}
		words := slices.Clone(args[i:])
		if words[0].glob && !words[0].unknown && !r.vars.opaque && isName(words[0].text) && (w.sub != "" || w.version || w.remote) {
			words[0].glob = false // a file of a known name
		}
		if name, _, ok := strings.Cut(words[0].text[min(1, len(words[0].text)):], "@"); ok && w.version && !words[0].unknown {
			words[0].text = words[0].text[:1] + name
		}
		switch {
		case w.name == "parallel":
			custom := replacement(args[:i])
			for j := range words {
				if custom != "" {
					words[j].text = strings.ReplaceAll(words[j].text, custom, "{}")
				}
			}
			fills := r.fills
			r.fills = true
			r.static(w.name, r.joined(w.name, words, at), at)
			r.fills = fills
		case w.text:
			r.static(w.name, r.joined(w.name, words, at), at)
		case w.name == "xargs":
			r.replaced(words, replacement(args[:i]), at)
		default:
			r.call(words, assignments(args[:i]), at)
		}
	}
	for i := before; w.name == "parallel" && i < len(r.Commands); i++ {
		r.Commands[i].more = true
	}
	if !found && at.more && w.name != "xargs" {
		r.note("the command that %s runs comes from its input", w.name)
	}
	if !found && w.runsShell(args) {
		r.call([]word{{text: "sh"}}, nil, at)
	}
}

// entrypoint reads the program of docker run --entrypoint.
func (r *Reader) entrypoint(w *wrapper, args []word, option, start int, at site) {
	_, program, attached := strings.Cut(args[option].text, "=")
	words := []word{{text: program, unknown: args[option].unknown}}
	if !attached && option+1 < len(args) {
		words[0] = args[option+1]
	}
	if words[0].unknown || words[0].text == "" {
		return
	}
	r.call(append(words, args[min(start, len(args)):]...), nil, at)
}

// launchTexts reads the shell texts in a launcher's options.
func (r *Reader) launchTexts(w *wrapper, args []word, at site) (found bool) {
	for i, a := range args {
		if a.text == "--" && !a.unknown {
			return found
		}
		for option := range strings.FieldsSeq(w.texts) {
			text := a
			value, attached := strings.CutPrefix(a.text, option)
			switch {
			case !attached, strings.HasPrefix(option, "--") && value != "" && value[0] != '=':
				continue
			case value != "":
				text.text = strings.TrimPrefix(value, "=")
			case i+1 < len(args):
				text = args[i+1]
			case at.more:
				r.note("the text that %s runs comes from its input", w.name)
			default:
				continue
			}
			found = true
			if w.name == "nix" { // the rest is the command's words
				r.call(args[i+1:], nil, at)
			} else {
				r.static("sh", text, at)
			}
		}
	}
	return found
}

// starts returns the indexes in args at which the command may begin.
func (r *Reader) starts(w *wrapper, args []word) (starts []int) {
	i := 0
options:
	for ; i < len(args); i++ {
		a := args[i].text
		if args[i].splits && !w.remote {
			r.note("an unquoted %s among the options of %s may be several words", excerpt(a), w.name)
		}
		if args[i].unknown && w.skipsAssignments() && hasName(a) {
			continue
		}
		switch {
		case a == "--":
			i++
			break options
		case a == "-" && w.name == "env":
			continue
		case args[i].unknown || args[i].filled: // it may be an option
			starts = append(starts, i+1+w.skip)
		case len(a) > 1 && a[0] == '-':
			takes, known := w.takesNext(a)
			if !known && i+1 < len(args) && !strings.HasPrefix(args[i+1].text, "-") {
				starts = append(starts, i+1+w.skip)
				i++
			}
			if takes {
				i++
			}
			if i < len(args) && args[i].splits && !w.remote {
				r.note("an unquoted %s among the options of %s may be several words", excerpt(args[i].text), w.name)
			}
			continue
		case w.skipsAssignments() && isAssignment(a):
			continue
		}
		break
	}
	for j := i; j < i+w.skip && j < len(args); j++ {
		if args[j].splits && !w.remote {
			r.note("an unquoted %s among the operands of %s may be several words", excerpt(args[j].text), w.name)
		}
	}
	if w.name == "ssh" && i+1 < len(args) && strings.HasPrefix(args[i+1].text, "-") && args[i+1].text != "-" {
		last := *w // its options may follow the host
		last.name, last.skip = "", 0
		for _, start := range r.starts(&last, args[i+1:]) {
			starts = append(starts, i+1+start)
		}
		return starts
	}
	return append(starts, i+w.skip)
}

// takesNext reports whether the word after an option is its argument.
func (w *wrapper) takesNext(option string) (takes, known bool) {
	if strings.HasPrefix(option, "--") {
		if strings.Contains(w.value, " "+option+" ") {
			return true, true
		}
		return false, strings.Contains(option, "=") || strings.Contains(w.long, " "+option+" ")
	}
	for i := 1; i < len(option); i++ {
		at := strings.IndexByte(w.short, option[i])
		if at < 0 || option[i] == ':' {
			return false, false
		}
		if at+1 < len(w.short) && w.short[at+1] == ':' {
			return i == len(option)-1, true
		}
	}
	return false, true
}

func (w *wrapper) skipsAssignments() bool {
	return w.name == "env" || w.name == "cross-env" || w.name == "cross-env-shell" || w.name == "sudo" || w.name == "doas"
}

// hasName reports whether a word whose value may be unknown begins with NAME=.
func hasName(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	names := namesIn(name)
	return ok && len(names) == 1 && names[0] == name && (name[0] < '0' || name[0] > '9')
}

// isAssignment reports whether a word is NAME=value.
func isAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && name != "" && !strings.HasPrefix(name, "-")
}

func assignments(args []word) (all []string) {
	for _, a := range args {
		if isAssignment(a.text) {
			all = append(all, a.text)
		}
	}
	return all
}

// replacement returns the text that xargs replaces in its command.
func replacement(options []word) string {
	for i, o := range options {
		name, value, attached := strings.Cut(o.text, "=")
		switch {
		case len(name) > 2 && strings.HasPrefix("--replace", name):
			if attached {
				return value
			}
			return "{}"
		case strings.HasPrefix(o.text, "-") && !strings.HasPrefix(o.text, "--"):
			option, value := cluster(o.text, "EIJLPRSadnsi")
			switch {
			case option == 'i' && value == "":
				return "{}"
			case option == 'i', strings.IndexByte("IJ", option) >= 0 && value != "":
				return value
			case strings.IndexByte("IJ", option) >= 0 && i+1 < len(options): // otherwise it is the argument of another option
				return options[i+1].text
			}
		}
	}
	return ""
}

// cluster returns the first option in a word of one-letter options that has an
// argument, and what follows it there. Without one it returns 0.
func cluster(text, withArgument string) (option byte, value string) {
	for i := 1; i < len(text); i++ {
		if strings.IndexByte(withArgument, text[i]) >= 0 {
			return text[i], text[i+1:]
		}
	}
	return 0, ""
}

// parallel returns the command of GNU parallel. Without one, the arguments
// after ::: are commands.
func (r *Reader) parallel(args []word, at site) []word {
	w := findWrapper("parallel")
	for i, a := range args {
		if !strings.HasPrefix(a.text, ":::") {
			continue
		}
		if starts := r.starts(w, args[:i]); starts[len(starts)-1] < i {
			return args[:i]
		}
		for _, text := range args[i+1:] {
			r.static("parallel", text, at)
		}
		return nil
	}
	if starts := r.starts(w, args); starts[len(starts)-1] >= len(args) {
		r.note("the commands that parallel runs come from its input")
	}
	return args
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
			r.static("sh", value, at)
		} else if !value.unknown && value.text != "" {
			words := []word{{text: "git"}}
			for _, w := range strings.Fields(value.text) {
				words = append(words, word{text: w})
			}
			r.call(append(words, word{text: "...", unknown: true}), nil, at)
		}
	}
}

// tmux reads the shell texts in tmux's commands, which ; separates.
func (r *Reader) tmux(args []word, at site) {
	for len(args) > 0 {
		end := slices.IndexFunc(args, func(a word) bool { return a.text == ";" && !a.unknown })
		if end < 0 {
			end = len(args)
		}
		for i := range panes {
			if rest, ok := panes[i].after(args[:end]); ok {
				starts := r.starts(&panes[i], rest)
				last := starts[len(starts)-1]
				if strings.HasPrefix(panes[i].sub, "send") {
					r.keys(rest[min(last, len(rest)):], at)
				} else if last < len(rest) {
					r.static("sh", r.joined("tmux", rest[last:], at), at)
				}
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
			if parses(text) {
				r.static("sh", r.joined("tmux", []word{{text: text}}, at), at)
			}
			line = nil
		case "Space":
			line = append(line, word{text: " "})
		default:
			line = append(line, a)
		}
	}
}

// options returns the arguments after a command's options.
func (r *Reader) options(args []word, short string) []word {
	w := wrapper{short: short}
	starts := r.starts(&w, args)
	return args[min(starts[len(starts)-1], len(args)):]
}
