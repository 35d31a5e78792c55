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
	{name: "screen", short: "c:e:h:p:r:S:s:t:T:x:adDlLmnOqRuUvwXAi"}, {name: "setpriv"}, {name: "gosu", skip: 1}, {name: "su-exec", skip: 1}, {name: "tini", short: "p:e:gsvw"}, {name: "dumb-init", short: "cvr:"}, {name: "catchsegv"}, {name: "proxychains4", short: "f:q"}, {name: "proxychains", short: "f:q"}, {name: "torsocks"}, {name: "eatmydata"}, {name: "fakeroot", short: "l:s:i:b:uh"}, {name: "wsl", short: "d:u:e", long: " --exec --shell-type "},
	{name: "runuser", short: "G:g:s:u:lm"},
	{name: "pkexec", long: " --disable-internal-agent --keep-cwd "},
	{name: "caffeinate", short: "t:w:dimsu"},
	{name: "strace", short: "E:I:O:P:S:U:X:a:b:e:o:p:s:u:CDTcdfhinqrtvwxyz"},
	{name: "ltrace", short: "e:l:n:o:p:s:u:CLSbcfirtT"},
	{name: "xargs", short: "E:I:J:L:P:R:S:a:d:n:s:0ioprtx", long: " --null --no-run-if-empty --interactive --verbose --exit --open-tty "},
	{name: "watch", short: "n:q:bcdegptwx", long: " --beep --color --differences --errexit --chgexit --no-title --precise ", text: true},
	{name: "ssh", short: "B:b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:Q:R:S:W:w:46AaCfGgKkMNnqsTtVvXxYy", skip: 1, text: true},
	{name: "mosh", short: "p:46a", skip: 1, text: true, dashes: true}, {name: "autossh", short: "M:p:i:l:o:46fNTt", skip: 1, text: true},
	{name: "parallel", short: "I:P:S:a:d:j:n:N:X:kmqtuv0", long: " --keep-order --null --verbose --dry-run --progress --bar --line-buffer --ungroup ", text: true},
}

// launchers are wrappers whose options are mostly long, or that have
// subcommands.
var launchers = [...]wrapper{
	{name: "npx", short: "c:p:w:yq", long: " --yes --no --no-install --quiet --ignore-existing --prefer-offline --offline ", value: " --package --workspace --registry --cache --userconfig --loglevel ", texts: " -c --call ", version: true},
	{name: "npm", sub: "exec", short: "c:p:w:yq", long: " --yes --no --workspaces ", value: " --package --workspace --prefix ", texts: " -c --call ", dashes: true, version: true},
	{name: "npm", sub: "x", short: "c:p:w:yq", long: " --yes --no --workspaces ", value: " --package --workspace --prefix ", texts: " -c --call ", dashes: true, version: true},
	{name: "pnpm", sub: "exec", short: "crF:C:", long: " --recursive --parallel --shell-mode ", value: " --filter --dir ", version: true}, {name: "pnpm", sub: "dlx", short: "c", long: " --silent --shell-mode ", value: " --package --allow-build ", version: true}, {name: "pnpx", version: true},
	{name: "yarn", sub: "exec"}, {name: "yarn", sub: "dlx", short: "p:q", value: " --package ", version: true},
	{name: "bunx", long: " --bun --silent ", version: true}, {name: "bun", sub: "x", long: " --bun --silent ", version: true},
	{name: "uv", sub: "tool run", short: "p:w:qv", long: " --isolated --offline --quiet --no-cache ", value: " --from --with --python --index --index-url ", version: true},
	{name: "uv", sub: "run", short: "p:w:mnqv", long: " --isolated --locked --frozen --no-sync --active --no-dev --all-extras --all-groups --dev --exact --no-project --offline --quiet --verbose --no-cache --managed-python ", value: " --with --with-requirements --with-editable --python --extra --group --package --directory --project --env-file --index --index-url --only-group "},
	{name: "uvx", short: "p:w:qv", long: " --isolated --offline --quiet --no-cache ", value: " --from --with --python --index --index-url ", version: true},
	{name: "poetry", sub: "run"}, {name: "pipenv", sub: "run"}, {name: "pdm", sub: "run", short: "p:s"}, {name: "rye", sub: "run"}, {name: "pipx", sub: "run", long: " --no-cache --verbose ", value: " --spec --python --pip-args ", version: true},
	{name: "conda", sub: "run", short: "n:p:v", long: " --no-capture-output --live-stream ", value: " --name --prefix --cwd "}, {name: "mamba", sub: "run", short: "n:p:v", long: " --no-capture-output --live-stream ", value: " --name --prefix --cwd "}, {name: "micromamba", sub: "run", short: "n:p:a:v", value: " --name --prefix --cwd --attach "},
	{name: "bundle", sub: "exec", long: " --keep-file-descriptors "}, {name: "rbenv", sub: "exec"}, {name: "pyenv", sub: "exec"}, {name: "asdf", sub: "exec"}, {name: "mise", sub: "exec", short: "C:c:", value: " --cd ", texts: " -c --command ", dashes: true}, {name: "mise", sub: "x", short: "C:c:", value: " --cd ", texts: " -c --command ", dashes: true}, {name: "direnv", sub: "exec", skip: 1},
	{name: "docker", sub: "compose exec", short: "e:u:w:dT", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "docker", sub: "compose run", short: "e:l:p:u:v:w:dTiP", long: containerLong, value: containerValue, skip: 1, remote: true},
	{name: "docker", sub: "exec", short: "e:u:w:dit", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "podman", sub: "exec", short: "e:u:w:ditl", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "nerdctl", sub: "exec", short: "e:u:w:dit", long: containerLong, value: containerValue, skip: 1, remote: true},
	{name: "docker", sub: "run", short: "a:c:e:h:l:m:p:u:v:w:ditPq", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "podman", sub: "run", short: "a:c:e:h:l:m:p:u:v:w:ditPq", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "nerdctl", sub: "run", short: "a:c:e:h:l:m:p:u:v:w:ditPq", long: containerLong, value: containerValue, skip: 1, remote: true},
	{name: "docker-compose", sub: "exec", short: "e:u:w:dT", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "docker-compose", sub: "run", short: "e:l:p:u:v:w:dTiP", long: containerLong, value: containerValue, skip: 1, remote: true},
	{name: "kubectl", sub: "exec", short: "c:f:n:itq", long: " --stdin --tty --quiet ", value: " --container --filename --namespace --context ", skip: 1, dashes: true, remote: true}, {name: "oc", sub: "exec", short: "c:f:n:itq", long: " --stdin --tty --quiet ", value: " --container --filename --namespace --context ", skip: 1, dashes: true, remote: true},
	{name: "corepack", version: true}, {name: "volta", sub: "run", value: " --node --npm --pnpm --yarn "}, {name: "fnm", sub: "exec", value: " --using --fnm-dir "}, {name: "nvm", sub: "exec", long: " --silent ", skip: 1}, {name: "lerna", sub: "exec", dashes: true}, {name: "hatch", sub: "run"},
	{name: "nix-shell", texts: " --run --command "}, {name: "nix", sub: "develop", texts: " -c --command "}, {name: "nix", sub: "shell", texts: " -c --command "},
	{name: "xvfb-run", short: "e:f:n:p:s:w:adhl", long: " --auto-servernum --auto-display --listen-tcp ", value: " --error-file --auth-file --server-num --xauth-protocol --server-args --wait "},
	{name: "dbus-run-session", value: " --config-file --dbus-daemon "}, {name: "cross-env", remote: true}, {name: "cross-env-shell", text: true},
	{name: "git", sub: "bisect run"}, {name: "git", sub: "submodule foreach", short: "q", long: " --recursive --quiet ", text: true}, {name: "git", sub: "rebase", texts: " -x --exec "},
	{name: "git", sub: "filter-branch", texts: " --setup --subdirectory-filter --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter "}, {name: "git", sub: "difftool", texts: " -x --extcmd "}, {name: "git", sub: "grep", texts: " -O --open-files-in-pager "},
	{name: "repeat", skip: 1}, {name: "-"}, // zsh
}

// The long options of docker's subcommands.
const (
	containerLong  = " --rm --privileged --init --interactive --tty --detach --read-only --no-healthcheck --publish-all --sig-proxy --quiet --no-deps --no-tty --build --service-ports --remove-orphans --latest "
	containerValue = " --add-host --annotation --attach --cap-add --cap-drop --cgroupns --cidfile --cpus --device --dns --entrypoint --env --env-file --expose --gpus --group-add --hostname --index --ip --ipc --label --link --log-driver --log-opt --mac-address --memory --mount --name --net --network --network-alias --pid --pids-limit --platform --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --sysctl --tmpfs --ulimit --user --userns --uts --volume --volumes-from --workdir --detach-keys --userns --arch --os "
)

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
		starts = w.starts(args)
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
		refuse("the command that %s runs comes from its input", w.name)
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
				refuse("the text that %s runs comes from its input", w.name)
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
func (w *wrapper) starts(args []word) (starts []int) {
	i := 0
options:
	for ; i < len(args); i++ {
		a := args[i].text
		if args[i].splits && !w.remote {
			refuse("an unquoted %s among the options of %s may be several words", excerpt(a), w.name)
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
				refuse("an unquoted %s among the options of %s may be several words", excerpt(args[i].text), w.name)
			}
			continue
		case w.skipsAssignments() && isAssignment(a):
			continue
		}
		break
	}
	for j := i; j < i+w.skip && j < len(args); j++ {
		if args[j].splits && !w.remote {
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

// panes are tmux's commands that run a shell text, or type it.
var panes = [...]wrapper{
	{sub: "new-session", short: "c:e:F:f:n:s:t:x:y:AdDEPX"}, {sub: "new", short: "c:e:F:f:n:s:t:x:y:AdDEPX"}, {sub: "new-window", short: "c:e:F:n:t:abdkPS"}, {sub: "neww", short: "c:e:F:n:t:abdkPS"},
	{sub: "split-window", short: "c:e:F:l:p:t:bdfhIvPZ"}, {sub: "splitw", short: "c:e:F:l:p:t:bdfhIvPZ"}, {sub: "respawn-pane", short: "c:e:t:k"}, {sub: "respawn-window", short: "c:e:t:k"},
	{sub: "run-shell", short: "c:d:t:bC"}, {sub: "run", short: "c:d:t:bC"}, {sub: "display-popup", short: "b:c:d:e:h:s:S:t:T:w:x:y:BCE"}, {sub: "send-keys", short: "c:N:t:FHKlMRX"}, {sub: "send", short: "c:N:t:FHKlMRX"},
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
				starts := panes[i].starts(rest)
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
			var parser Reader
			if parser.caught(func() { checkNesting(text); parse(text, parser.language()) }) == nil {
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
func options(args []word, short string) []word {
	w := wrapper{short: short}
	starts := w.starts(args)
	return args[min(starts[len(starts)-1], len(args)):]
}
