package shell

import "strings"

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
	starts, found := w.starts(args), false
	for _, i := range starts {
		if i >= len(args) {
			continue
		}
		found = true
		assigns := assignments(args[:i])
		switch {
		case w.text:
			r.joined(w.name, args[i:], at)
		case w.name == "xargs":
			r.replaced(w.name, args[i:], replacement(args[:i]), at)
		default:
			r.call(args[i:], assigns, at)
		}
	}
	if !found && at.more && w.name != "xargs" {
		refuse("the command that %s runs comes from its input", w.name)
	}
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
		switch {
		case o.text == "-I" || o.text == "-J":
			if i+1 < len(options) { // otherwise it is the argument of another option
				return options[i+1].text
			}
		case strings.HasPrefix(o.text, "-I"), strings.HasPrefix(o.text, "-J"):
			return o.text[2:]
		case strings.HasPrefix(o.text, "-i"), strings.HasPrefix(o.text, "--replace"):
			if _, value, ok := strings.Cut(o.text, "="); ok {
				return value
			}
			return "{}"
		}
	}
	return ""
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
