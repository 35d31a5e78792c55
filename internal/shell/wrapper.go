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
}

// wrappers is initialized by the linker, so it takes no time at the start. For
// an option that is not listed, the commands with and without an argument of
// the option are both read.
var wrappers = [...]wrapper{
	{name: "sudo", short: "C:D:g:h:p:R:r:T:t:U:u:ABbEeHiKklNnPSsVv", long: " --background --preserve-env --login --non-interactive --stdin --shell --set-home --askpass --bell "},
	{name: "doas", short: "C:u:Lns"},
	{name: "env", short: "C:P:S:u:0iv", long: " --ignore-environment --null --debug "},
	{name: "nohup"}, {name: "builtin"}, {name: "busybox"}, {name: "toybox"}, {name: "noglob"}, {name: "nocorrect"}, {name: "unbuffer"},
	{name: "setsid", short: "cfw", long: " --ctty --fork --wait "},
	{name: "nice", short: "n:0123456789"},
	{name: "ionice", short: "c:n:t"},
	{name: "command", short: "p"},
	{name: "exec", short: "a:cl"},
	{name: "time", short: "f:o:apvV", long: " --append --portability --verbose --quiet "},
	{name: "timeout", short: "k:s:v", long: " --foreground --preserve-status --verbose ", skip: 1},
	{name: "gtimeout", short: "k:s:v", long: " --foreground --preserve-status --verbose ", skip: 1},
	{name: "stdbuf", short: "e:i:o:"},
	{name: "chroot", skip: 1},
	{name: "flock", short: "E:w:eFnosux", long: " --nonblock --shared --exclusive --unlock --close --no-fork --verbose ", skip: 1},
	{name: "taskset", short: "acp", skip: 1},
	{name: "chrt", short: "abfiormp", skip: 1},
	{name: "unshare", short: "CTUcfimnpru", long: " --fork --mount --net --pid --user --uts --ipc --map-root-user --map-current-user "},
	{name: "nsenter", short: "t:FaCZ"},
	{name: "systemd-run", short: "E:H:M:p:u:Gdqrt", long: " --user --scope --pty --pipe --wait --quiet --collect --no-block "},
	{name: "systemd-inhibit"},
	{name: "runuser", short: "G:g:s:u:lm"},
	{name: "pkexec", long: " --disable-internal-agent --keep-cwd "},
	{name: "caffeinate", short: "t:w:dimsu"},
	{name: "strace", short: "E:I:O:P:S:U:X:a:b:e:o:p:s:u:CDTcdfhinqrtvwxyz"},
	{name: "ltrace", short: "e:l:n:o:p:s:u:CLSbcfirtT"},
	{name: "xargs", short: "E:I:J:L:P:R:S:a:d:n:s:0ioprtx", long: " --null --no-run-if-empty --interactive --verbose --exit --open-tty "},
	{name: "watch", short: "n:q:bcdegptwx", long: " --beep --color --differences --errexit --chgexit --no-title --precise ", text: true},
	{name: "ssh", short: "B:b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:Q:R:S:W:w:46AaCfGgKkMNnqsTtVvXxYy", skip: 1, text: true},
	{name: "parallel", short: "I:P:S:a:d:j:n:N:X:kmqtuv0", long: " --keep-order --null --verbose --dry-run --progress --bar --line-buffer --ungroup ", text: true},
}

func findWrapper(name string) (wrapper, bool) {
	for _, w := range wrappers {
		if w.name == name {
			return w, true
		}
	}
	return wrapper{}, false
}

// wrapped reads the command in a wrapper's arguments.
func (r *Reader) wrapped(w wrapper, args []word, at place) {
	if w.name == "parallel" {
		args = r.parallel(args, at)
	}
	at.more = at.more || w.name == "xargs"
	before := len(r.Commands)
	starts, found := w.starts(args), false
	for n, i := range starts {
		if i >= len(args) || n < len(starts)-1 && strings.HasPrefix(args[i].text, "-") {
			continue
		}
		found = true
		assigns := assignments(args[:i])
		for _, a := range args[:i] {
			if name, value, ok := strings.Cut(a.text, "="); ok && isAssignment(a.text) {
				r.checkAssignment(name, word{text: value, unknown: a.unknown})
			}
		}
		switch {
		case w.text:
			r.static(w.name, r.joined(w.name, args[i:], at), at)
		case w.name == "xargs":
			r.replaced(args[i:], replacement(args[:i]), at)
		default:
			r.call(args[i:], assigns, at)
		}
	}
	for i := before; w.name == "parallel" && i < len(r.Commands); i++ {
		r.Commands[i].more = true
	}
	if !found && at.more && w.name != "xargs" {
		refuse("the command that %s runs comes from its input", w.name)
	}
	if !found && w.runsShell(args) {
		r.call([]word{{text: "sh"}}, nil, at)
	}
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

// starts returns the indexes in args at which the command may begin.
func (w *wrapper) starts(args []word) (starts []int) {
	i := 0
options:
	for ; i < len(args); i++ {
		a := args[i].text
		if args[i].splits {
			refuse("an unquoted %s among the options of %s may be several words", excerpt(a), w.name)
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
			if i < len(args) && args[i].splits {
				refuse("an unquoted %s among the options of %s may be several words", excerpt(args[i].text), w.name)
			}
			continue
		case w.skipsAssignments() && isAssignment(a):
			continue
		}
		break
	}
	for j := i; j < i+w.skip && j < len(args); j++ {
		if args[j].splits {
			refuse("an unquoted %s among the operands of %s may be several words", excerpt(args[j].text), w.name)
		}
	}
	if w.name == "ssh" && i+1 < len(args) && strings.HasPrefix(args[i+1].text, "-") && args[i+1].text != "-" {
		last := *w // its options may follow the host
		last.name, last.skip = "", 0
		for _, start := range last.starts(args[i+1:]) {
			starts = append(starts, i+1+start)
		}
		return starts
	}
	return append(starts, i+w.skip)
}

// takesNext reports whether the word after an option is its argument.
func (w *wrapper) takesNext(option string) (takes, known bool) {
	if strings.HasPrefix(option, "--") {
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
	return w.name == "env" || w.name == "sudo" || w.name == "doas"
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
func (r *Reader) parallel(args []word, at place) []word {
	w, _ := findWrapper("parallel")
	for i, a := range args {
		if !strings.HasPrefix(a.text, ":::") {
			continue
		}
		if starts := w.starts(args[:i]); starts[len(starts)-1] < i {
			return args[:i]
		}
		for _, text := range args[i+1:] {
			r.static("parallel", text, at)
		}
		return nil
	}
	if starts := w.starts(args); starts[len(starts)-1] >= len(args) {
		refuse("the commands that parallel runs come from its input")
	}
	return args
}

// options returns the arguments after a command's options.
func options(args []word, short string) []word {
	w := wrapper{short: short}
	starts := w.starts(args)
	return args[min(starts[len(starts)-1], len(args)):]
}
