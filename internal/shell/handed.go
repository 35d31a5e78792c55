package shell

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
	for queue := r.handovers; len(queue) > 0 && err == nil; queue = queue[1:] {
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
	if i > 0 && takesProse(h.args[i-1].text) || !isText(text) {
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
	return !isFileTool(name) || !isProgram(Program(h.program)) || isInterpreter(Program(h.program)) ||
		slices.ContainsFunc(h.args[:i], func(a word) bool { return slices.Contains([]string{"--", "run", "exec", "ssh"}, a.text) })
}

// takesProse reports whether the argument of an option is a text for people.
func takesProse(option string) bool {
	switch option {
	case "-m", "--message", "--title", "--body", "--description", "--subject", "--comment", "--note", "--notes", "--reason", "--text", "--prompt", "--query", "--grep", "--search", "--filter":
		return true
	}
	return false
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

// isProgram reports whether a word is the name of a program that guards are
// about, or its path.
func isProgram(word string) bool {
	if at := strings.LastIndex(word, "/bin/"); at >= 0 && word[0] == '/' {
		word = word[at+len("/bin/"):]
	}
	switch word {
	case "git", "gh", "glab", "hg", "svn",
		"npm", "pnpm", "yarn", "npx", "bun", "node", "deno", "lerna", "python", "python3", "pip", "pip3", "pipx", "uv", "uvx", "poetry", "twine",
		"cargo", "go", "make", "mvn", "gradle", "gem", "bundle", "ruby", "perl", "php", "composer", "dotnet", "nuget",
		"find", "mkfs", "shutdown", "reboot", "curl", "wget", "ssh", "scp", "rsync", "nc", "ncat", "openssl", "docker", "podman", "kubectl", "helm",
		"terraform", "tofu", "pulumi", "aws", "gcloud", "gsutil", "az", "vercel", "netlify", "firebase", "heroku", "fly", "wrangler", "serverless",
		"psql", "mysql", "mongosh", "sqlite3", "redis-cli", "dropdb", "prisma", "crontab", "systemctl", "launchctl",
		"sudo", "doas", "env", "sh", "bash", "zsh", "eval", "powershell", "pwsh":
		return true
	}
	return isFileTool(word)
}

// isFileTool reports whether a program changes files that its operands name.
func isFileTool(name string) bool {
	switch name {
	case "rm", "mv", "cp", "dd", "ln", "chmod", "chown", "shred", "tee", "sed", "tar", "truncate":
		return true
	}
	return false
}

// isInterpreter reports whether a program runs a script, which may run anything.
func isInterpreter(name string) bool {
	switch name {
	case "python", "python3", "node", "deno", "ruby", "perl", "php", "make":
		return true
	}
	return false
}

// handsNothing reports whether the operands of a program are files, names or texts,
// also where they look like a command.
func handsNothing(name string) bool {
	switch name {
	case "git", "gh", "glab", "hg", "svn", "bd", "claude", "codex", "gemini", "cowsay", "figlet", "notify-send", "logger", "say", "wall", "mail",
		"chgrp", "zip", "unzip", "gzip", "mkfs", "touch", "mkdir", "rmdir", "install", "curl", "wget", "scp", "http", "httpie", "psql", "mysql", "mongosh", "sqlite3", "redis-cli",
		"apt", "apt-get", "apt-cache", "aptitude", "dpkg", "rpm", "yum", "dnf", "zypper", "pacman", "apk", "brew", "port", "pkg", "choco", "scoop", "winget", "nix-env",
		"which", "whereis", "type", "hash", "where", "get-command", "gcm", "findstr", "select-string", "write-host", "write-output", "rem", "man", "info", "help", "tldr", "apropos", "whatis", "pgrep", "pkill", "killall", "pidof", "service",
		"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "awk", "gawk", "mawk", "jq", "yq", "ls", "eza", "exa", "tree", "cat", "bat", "tac", "head", "tail", "wc", "sort", "uniq", "cut", "tr", "paste", "column", "diff", "cmp", "comm", "less", "more",
		"basename", "dirname", "realpath", "readlink", "stat", "file", "du", "df", "nl", "od", "xxd", "strings", "md5sum", "sha1sum", "sha256sum", "shasum", "kill", "sleep", "seq", "expr", "date",
		"vim", "vi", "nano", "code":
		return true
	}
	runs := name == "sched" || name == "zpty" // of zsh
	return isFileTool(name) || slices.Contains(printers[:], name) || slices.Contains(builtins[:], name) && !runs
}
