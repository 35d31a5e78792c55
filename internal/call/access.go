package call

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shell"
	"github.com/agent-hooks/agent-hooks/manifest"
)

const (
	read   = manifest.Read
	write  = manifest.Write
	remove = manifest.Remove
	tree   = manifest.RemoveTree
	change = read | write
)

// usage is what programs do with their operands (D95). Options are no paths, except
// the values of reads and writes.
type usage struct {
	names  string // of the programs, or of the subcommands of git
	all    manifest.Access
	last   manifest.Access // of the last of several operands, if it differs
	text   int             // operands before the paths that are text
	given  string          // options that give the text instead
	values string          // options whose values are no paths
	reads  string          // options whose values are files that are read
	writes string          // options whose values are files that are written
	data   string          // options whose values are text, or after @ files that are read
}

// usages are the programs whose operands are not all read and written.
var usages = [...]usage{
	{names: " echo printf true false : kill killall pkill pgrep sleep seq expr which type command hash man whatis basename dirname export declare local readonly typeset unset read set shopt trap umask wait exit return break continue cd chdir pushd popd pwd date id whoami uname alias unalias yes ps env printenv mktemp gh tmux ssh ls dir eza exa tree stat file readlink realpath test [ [[ "},
	{names: " cat bat tac less more nl od xxd hexdump strings md5sum sha1sum sha256sum sha512sum shasum cksum b2sum paste column fold fmt comm cmp source . wc uniq zcat zless open xdg-open mapfile readarray ", all: read},
	{names: " head tail ", all: read, values: " -n -c --lines --bytes "},
	{names: " cut ", all: read, values: " -d -f -c -b "},
	{names: " du df diff ", all: read, values: " -d --max-depth -U -x -X --exclude --label -I --color "},
	{names: " sort ", all: read, values: " -k -t -S -T --key ", writes: " -o --output "},
	{names: " grep egrep fgrep zgrep ggrep rg ag ack ", all: read, text: 1, given: " -e --regexp -f --file --files ", values: " -e --regexp -A -B -C -m -d -D -g -t -T --include --exclude --exclude-dir --max-count --glob --type --context --color ", reads: " -f --file "},
	{names: " sed gsed ", all: read, text: 1, given: " -e --expression -f --file ", values: " -e --expression -l ", reads: " -f --file "},
	{names: " awk gawk mawk nawk ", all: read, text: 1, given: " -f --file ", values: " -F -v ", reads: " -f --file "},
	{names: " jq yq ", all: read, text: 1, given: " -f --from-file ", reads: " -f --from-file "},
	{names: " tee mkdir mkfifo mknod sponge touch truncate ", all: write, values: " -m -s -t -d --mode --size --date ", reads: " -r --reference "},
	{names: " chmod chown chgrp ", all: write, text: 1, given: " --reference ", reads: " --reference "},
	{names: " cp install gcp ", all: read, last: write, values: " -m -o -g -S --mode --owner --group ", writes: " -t --target-directory "},
	{names: " ln ", last: write, writes: " -t --target-directory "},
	{names: " mv gmv ", all: read | remove, last: write, values: " -S ", writes: " -t --target-directory "},
	{names: " rsync scp ", all: read, last: write, values: " -e --rsh --exclude --include --filter -f -i -F -P -o -c -l --chmod --chown ", reads: " --exclude-from --files-from "},
	{names: " rm unlink grm srm del erase ", all: remove},
	{names: " shred ", all: remove | write, values: " -n -s "},
	{names: " rmdir trash trash-put del-cli ", all: remove},
	{names: " rimraf ", all: remove | tree},
	{names: " curl ", values: " -H --header -X --request -A -u --user -e -b --data-raw -m --max-time --connect-timeout --retry -w --write-out -x --proxy --url ", data: " -d --data --data-ascii --data-binary --data-urlencode --json -F --form ", reads: " -K --config -T --upload-file --cacert --cert -E --key ", writes: " -o --output -D --dump-header -c --cookie-jar --output-dir "},
	{names: " wget ", values: " -U --header --user --password -t -T ", reads: " -i --input-file ", writes: " -O --output-document -P --directory-prefix -o "},
	{names: " sh bash dash zsh ksh ash fish ", all: read},
}

// gitUsages are the subcommands of git. The operands of any other are names.
var gitUsages = [...]usage{
	{names: " add diff blame show grep hash-object ", all: read},
	{names: " commit ", all: read, values: " -m --message -C -c --author --date --fixup --squash -t ", reads: " -F --file "},
	{names: " rm ", all: remove},
	{names: " mv ", all: read | remove, last: write},
	{names: " checkout restore reset stash apply am init ", all: write, values: " -b -B -m -s --source --message "},
	{names: " clone ", last: write, values: " -b --branch --depth -o -c -u -j --filter "},
	{names: " clean ", all: remove, values: " -e --exclude "},
}

// find returns the usage of a program; nil if it is in no row.
func find(table []usage, name string) *usage {
	i := slices.IndexFunc(table, func(u usage) bool { return strings.Contains(u.names, " "+name+" ") })
	if i < 0 || name == "" {
		return nil
	}
	return &table[i]
}

// arg is a word of a command.
type arg struct {
	text   string
	pieces []shell.Piece
}

func (a *arg) known() bool { return len(a.pieces) == 1 && a.pieces[0].Kind == shell.Literal }

// from returns the word without its first n bytes, which are known.
func (a arg) from(n int) arg {
	first := a.pieces[0]
	rest := arg{text: a.text[n:]}
	if first.Text = first.Text[n:]; first.Text != "" {
		rest.pieces = append(rest.pieces, first)
	}
	rest.pieces = append(rest.pieces, a.pieces[1:]...)
	return rest
}

// isOption reports whether a word begins with a hyphen.
func (a *arg) isOption() bool {
	return len(a.pieces) > 0 && a.pieces[0].Kind == shell.Literal && strings.HasPrefix(a.pieces[0].Text, "-") && a.text != "-"
}

// argsOf returns the words of a line.
func argsOf(l shell.Invocation) (args []arg) {
	for i, w := range l.Words {
		pieces := l.Pieces[i]
		if pieces == nil {
			pieces = []shell.Piece{{Text: w}}
		}
		args = append(args, arg{w, pieces})
	}
	return args
}

// operation is a path that a command uses, from one of its directories.
type operation struct {
	path []shell.Piece
	used manifest.Access
	dirs [][]shell.Piece
	// below means that it is any path below that one, whose last part is name if there
	// is one.
	below bool
	name  []shell.Piece
}

// operations collects what one command does.
type operations struct {
	all  []operation
	dirs [][]shell.Piece
}

func (o *operations) add(a arg, used manifest.Access) {
	if used != 0 && len(a.pieces) > 0 && !(a.known() && (a.text == "" || a.text == "-" || strings.Contains(a.text, "://"))) {
		o.all = append(o.all, operation{path: a.pieces, used: used, dirs: o.dirs})
	}
}

// here is the directory of a command.
func here() arg { return arg{".", []shell.Piece{{Text: "."}}} }

// split returns the operands of a command, and adds the paths in its options. args
// begin after the program's name. flags are its options without values.
func (o *operations) split(u *usage, args []arg) (operands []arg, flags []string) {
	has := func(list, option string) bool { return strings.Contains(list, " "+option+" ") }
	text := u.text
	value := func(option string, a arg) bool {
		switch {
		case has(u.reads, option):
			o.add(a, read)
		case has(u.writes, option):
			o.add(a, write)
		case has(u.data, option):
			if _, file, found := strings.Cut(a.pieces[0].Text, "@"); found && a.pieces[0].Kind == shell.Literal {
				o.add(a.from(len(a.pieces[0].Text)-len(file)), read)
			}
		case !has(u.values, option):
			return false
		}
		return true
	}
	takes := func(option string) bool {
		return has(u.reads, option) || has(u.writes, option) || has(u.values, option) || has(u.data, option)
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.known() && a.text == "--":
			operands = append(operands, args[i+1:]...)
			i = len(args)
		case !a.isOption():
			operands = append(operands, a)
		case strings.HasPrefix(a.text, "--"):
			name, _, attached := strings.Cut(a.pieces[0].Text, "=")
			if flags = append(flags, name); has(u.given, name) {
				text = 0
			}
			if attached {
				value(name, a.from(len(name)+1))
			} else if takes(name) && i+1 < len(args) {
				i++
				value(name, args[i])
			}
		default:
			for n := 1; n < len(a.pieces[0].Text); n++ {
				option := "-" + a.pieces[0].Text[n:n+1]
				if flags = append(flags, option); has(u.given, option) {
					text = 0
				}
				if !takes(option) {
					continue
				}
				if rest := a.from(n + 1); len(rest.pieces) > 0 {
					value(option, rest)
				} else if i+1 < len(args) {
					i++
					value(option, args[i])
				}
				break
			}
		}
	}
	return operands[min(text, len(operands)):], flags
}

// use adds the operands of a command by its row.
func (o *operations) use(u *usage, operands []arg, all manifest.Access) {
	for i, a := range operands {
		used := all
		if i > 0 && i == len(operands)-1 && u.last != 0 {
			used = u.last
		}
		if used&remove != 0 && isEverything(a.pieces) {
			used |= tree
		}
		o.add(a, used)
	}
}

// isEverything reports whether the last part of a path is only a wildcard.
func isEverything(path []shell.Piece) bool {
	stars := 0
	for i := len(path) - 1; i >= 0; i-- {
		p := path[i]
		if p.Kind == shell.Literal {
			rest := strings.TrimRight(p.Text, "/")
			return stars > 0 && (strings.HasSuffix(p.Text, "/") || rest == "." || strings.HasSuffix(rest, "/."))
		}
		if strings.Trim(p.Text, "*") != "" {
			return false
		}
		stars++
	}
	return stars > 0
}

// command adds what a command does. args begin with its program.
func (o *operations) command(args []arg) {
	name := shell.Program(args[0].text)
	if name = strings.TrimSuffix(name, ".cmd"); !args[0].known() {
		name = "?"
	}
	args = args[1:]
	switch name {
	case "git":
		o.git(args)
		return
	case "find", "gfind":
		o.find(args)
		return
	case "gio":
		if len(args) > 1 && args[0].text == "trash" {
			o.use(&usage{}, args[1:], remove)
		}
		return
	case "openssl":
		for i, a := range args {
			switch {
			case a.isOption():
			case i > 0 && (args[i-1].text == "-out" || args[i-1].text == "-keyout"):
				o.add(a, write)
			default:
				o.add(a, change)
			}
		}
		return
	case "dd":
		for _, a := range args {
			for option, used := range map[string]manifest.Access{"if=": read, "of=": write} {
				if strings.HasPrefix(a.pieces[0].Text, option) && a.pieces[0].Kind == shell.Literal {
					o.add(a.from(len(option)), used)
				}
			}
		}
		return
	}
	if o.interpreter(name, args) {
		return
	}
	u := find(usages[:], name)
	if u == nil {
		o.other(name, args)
		return
	}
	operands, flags := o.split(u, args)
	has := func(options ...string) bool {
		return slices.ContainsFunc(flags, func(f string) bool { return slices.Contains(options, f) })
	}
	all := u.all
	switch name {
	case "rm", "grm", "srm":
		if slices.ContainsFunc(flags, func(f string) bool {
			return f == "-r" || f == "-R" || len(f) > 2 && strings.HasPrefix("--recursive", f)
		}) {
			all |= tree
		}
	case "sed", "gsed", "yq":
		if slices.ContainsFunc(flags, func(f string) bool { return f == "-i" || strings.HasPrefix(f, "--in-place") || f == "--inplace" }) {
			all |= write
		}
	case "rsync":
		if has("--remove-source-files") {
			all |= remove | tree
		}
		if slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "--del") }) && len(operands) > 1 {
			o.all = append(o.all, operation{path: operands[len(operands)-1].pieces, used: remove | tree, dirs: o.dirs, below: true})
		}
	case "mv", "gmv", "cp", "install":
		if has("-t", "--target-directory") {
			u = &usage{}
		}
	case "curl":
		if has("-O", "--remote-name", "--remote-name-all") {
			o.add(here(), write)
		}
		return
	case "wget":
		if !has("-O", "--output-document") {
			o.add(here(), write)
		}
		return
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "fish":
		if has("-c") || len(operands) == 0 {
			return
		}
		operands = operands[:1]
	}
	o.use(u, operands, all)
}

// other adds the operands of a program that is in no row.
func (o *operations) other(name string, args []arg) {
	used := change
	for _, a := range args {
		removes := name == "tar" && strings.HasPrefix(a.text, "--remove-files") || name == "zip" && (a.text == "--move" || a.isOption() && a.text[1] != '-' && strings.Contains(a.text, "m"))
		if removes {
			used |= remove | tree
		}
	}
	for _, a := range args {
		first := a.pieces[0]
		if at := strings.IndexByte(first.Text, '='); at > 0 && first.Kind == shell.Literal {
			o.add(a.from(at+1), used)
		}
		if !a.isOption() {
			o.add(a, used)
		}
	}
}

// git adds what git does.
func (o *operations) git(args []arg) {
	for len(args) > 0 && args[0].isOption() {
		n := 1
		switch args[0].text {
		case "-C":
			if n = min(2, len(args)); n == 2 {
				o.enter(args[1].pieces)
			}
		case "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env":
			n = min(2, len(args))
		}
		args = args[n:]
	}
	if len(args) == 0 {
		return
	}
	sub := args[0].text
	if sub == "worktree" && len(args) > 1 && args[1].text == "remove" {
		operands, flags := o.split(&usage{}, args[2:])
		if slices.Contains(flags, "-f") || slices.Contains(flags, "--force") { // otherwise git keeps what is not committed
			o.use(&usage{}, operands, remove|tree)
		}
		return
	}
	u := find(gitUsages[:], sub)
	if u == nil {
		return
	}
	operands, flags := o.split(u, args[1:])
	has := func(options ...string) bool {
		return slices.ContainsFunc(flags, func(f string) bool { return slices.Contains(options, f) })
	}
	all := u.all
	switch {
	case sub == "rm" && has("--cached", "-n", "--dry-run"), sub == "clean" && has("-n", "--dry-run"):
		return
	case sub == "rm" && has("-r"), sub == "clean" && has("-d"):
		all |= tree
	}
	if sub == "clean" && len(operands) == 0 {
		o.all = append(o.all, operation{path: here().pieces, used: all, dirs: o.dirs, below: true})
	}
	o.use(u, operands, all)
}

// enter changes the directories of a command.
func (o *operations) enter(dir []shell.Piece) {
	var dirs [][]shell.Piece
	for _, d := range o.dirs {
		dirs = append(dirs, shell.Below(d, dir))
	}
	o.dirs = dirs
}

// find adds what find does itself.
func (o *operations) find(args []arg) {
	if !slices.ContainsFunc(args, func(a arg) bool { return a.text == "-delete" && a.known() }) {
		return
	}
	empty := slices.ContainsFunc(args, func(a arg) bool { return a.text == "-empty" && a.known() }) && !slices.ContainsFunc(args, func(a arg) bool { return a.text == "!" || a.text == "-not" || a.text == "-o" || a.text == "-or" })
	found, named := o.found(args)
	for _, f := range found {
		if f.used = remove; !named && !empty {
			f.used |= tree
		}
		o.all = append(o.all, f)
	}
}

// found returns the paths that find hands on: below its roots, with the names of -name
// if each alternative has one.
func (o *operations) found(args []arg) (all []operation, named bool) {
	for len(args) > 0 && (args[0].text == "-H" || args[0].text == "-L" || args[0].text == "-P") {
		args = args[1:]
	}
	expression := slices.IndexFunc(args, func(a arg) bool {
		return a.isOption() || a.known() && (a.text == "(" || a.text == "!" || a.text == ")")
	})
	if expression < 0 {
		expression = len(args)
	}
	roots := args[:expression]
	if len(roots) == 0 {
		roots = []arg{here()}
	}
	names, named := namesIn(args[expression:])
	if !named {
		names = [][]shell.Piece{nil}
	}
	for _, root := range roots {
		for _, name := range names {
			itself := operation{path: root.pieces, dirs: o.dirs}
			if name != nil {
				itself.path = slices.Concat(root.pieces, []shell.Piece{{Text: "/"}}, name)
			}
			all = append(all, itself, operation{path: root.pieces, dirs: o.dirs, below: true, name: name})
		}
	}
	return all, named
}

// namesIn returns the globs after -name in an expression of find, if each of its
// alternatives has one before what it does.
func namesIn(args []arg) (names [][]shell.Piece, ok bool) {
	named := false
	for i := 0; i < len(args); i++ {
		switch args[i].text {
		case ",":
			return nil, false
		case "!", "-not": // a test alone only restricts
			if i+2 >= len(args) || !slices.Contains([]string{"-name", "-iname", "-path", "-ipath", "-type"}, args[i+1].text) {
				return nil, false
			}
			i += 2
		case "-o", "-or", "-delete":
			if !named {
				return nil, false
			}
			named = args[i].text == "-delete"
		case "-exec", "-execdir", "-ok", "-okdir":
			if !named {
				return nil, false
			}
			for i < len(args) && args[i].text != ";" && args[i].text != "+" {
				i++
			}
		case "-name", "-iname":
			if i+1 == len(args) || !args[i+1].known() || strings.ContainsAny(args[i+1].text, `/\`) {
				return nil, false
			}
			i++
			names, named = append(names, globOf(args[i].text)), true
		}
	}
	return names, named
}

// globOf returns the parts of a glob in a quoted word.
func globOf(text string) (pieces []shell.Piece) {
	for text != "" {
		at := strings.IndexAny(text, "*?[")
		if at < 0 {
			return append(pieces, shell.Piece{Text: text})
		}
		if at > 0 {
			pieces = append(pieces, shell.Piece{Text: text[:at]})
		}
		end := at + 1
		if text[at] == '[' {
			end = len(text)
		}
		pieces = append(pieces, shell.Piece{Text: text[at:end], Kind: shell.Glob})
		text = text[end:]
	}
	return pieces
}

// interpreters are programs whose options -c, -e, -r and -p give a program.
const interpreters = " python pypy node nodejs deno bun tsx ruby perl php lua osascript "

// interpreter adds what an interpreter does, and reports whether a program is one.
func (o *operations) interpreter(name string, args []arg) bool {
	if !strings.Contains(interpreters, " "+strings.TrimRight(name, "0123456789.")+" ") {
		return false
	}
	script := false
	for i, a := range args {
		switch {
		case a.isOption() && strings.Trim(a.text, "-") != "" && i+1 < len(args) && strings.ContainsAny(a.text[len(a.text)-1:], "cerpEl") && !strings.HasPrefix(a.text, "--r"):
			o.program(args[i+1].text)
			script = true
		case i > 0 && args[i-1].isOption() && script:
		case !a.isOption() && !script:
			o.add(a, read)
			script = true
		case !a.isOption():
			o.add(a, change)
		}
	}
	return true
}

// program adds the paths in the string literals of a program.
func (o *operations) program(text string) {
	used := change | remove
	if strings.Contains(text, "rmtree") || strings.Contains(text, "rm_r") || strings.Contains(text, "remove_tree") ||
		strings.Contains(text, "recursive") && (strings.Contains(text, "rm(") || strings.Contains(text, "rmSync") || strings.Contains(text, "rmdir") || strings.Contains(text, "remove")) {
		used |= tree
	}
	literals := literalsOf(text)
	for _, l := range literals {
		if used&tree != 0 || strings.ContainsAny(l, "./~") && strings.Trim(l, "./") != "" {
			o.add(arg{l, []shell.Piece{{Text: l}}}, used)
		}
	}
	if used&tree != 0 && len(literals) == 0 {
		o.add(arg{text, []shell.Piece{{Text: "…", Kind: shell.Quoted}}}, used)
	}
}

// maxLiterals limits the string literals of one program.
const maxLiterals = 200

// literalsOf returns the string literals of a program that have no white space.
func literalsOf(text string) (literals []string) {
	for len(literals) < maxLiterals {
		at := strings.IndexAny(text, "'\"`")
		if at < 0 {
			return literals
		}
		end := strings.IndexByte(text[at+1:], text[at])
		if end < 0 {
			return literals
		}
		l := text[at+1 : at+1+end]
		if l != "" && !strings.ContainsAny(l, " \t\n,;()<>|") {
			literals = append(literals, l)
		}
		text = text[at+end+2:]
	}
	return literals
}
