package shell

import (
	"slices"
	"strings"
)

// maxHanded is the number of lines that Handed returns for one command.
const maxHanded = 4

// Handed returns the commands that programs which this package does not know may
// run: of each such program's operands, from the name of a known program to the
// end. So npm publish is among the lines of entr npm publish. It is a guess that
// supports no allow.
func (r *Reader) Handed() (lines []Invocation) {
	for i := range r.Commands {
		c := &r.Commands[i]
		if len(c.Words) < 3 || slices.Contains(c.Unknown, 0) || !r.mayHand(c.Words[0]) {
			continue
		}
		line := r.invocation(i)
		found := 0
		for at := 1; at < len(c.Words)-1 && found < maxHanded; at++ { // a name alone is only a name
			if c.pieces[at] != nil || !isProgram(c.Words[at]) {
				continue
			}
			found++
			lines = append(lines, line.From(at))
		}
	}
	return lines
}

// HandsOn reports whether a program that is not known may run the one at index at
// of its words, for texts that are not parsed.
func HandsOn(words []string, at int) bool {
	name := Program(words[0])
	return at > 0 && at < len(words)-1 && isProgram(strings.ToLower(words[at])) && !isProgram(name) && !takesNames(name) && !slices.Contains(printers[:], name)
}

// mayHand reports whether a program may run one that its operands name, and is
// not read otherwise.
func (r *Reader) mayHand(word string) bool {
	name := Program(word)
	return findWrapper(name) == nil && !isProgram(name) && !takesNames(name) && !r.functions[word] && !slices.Contains(printers[:], name) && !slices.Contains(builtins[:], name) &&
		!slices.ContainsFunc(launchers[:], func(w wrapper) bool { return w.name == name })
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
		"rm", "mv", "cp", "dd", "ln", "chmod", "chown", "shred", "tee", "find", "sed", "tar", "truncate", "mkfs", "shutdown", "reboot",
		"curl", "wget", "ssh", "scp", "rsync", "nc", "ncat", "openssl", "docker", "podman", "kubectl", "helm",
		"terraform", "tofu", "pulumi", "aws", "gcloud", "gsutil", "az", "vercel", "netlify", "firebase", "heroku", "fly", "wrangler", "serverless",
		"psql", "mysql", "mongosh", "sqlite3", "redis-cli", "dropdb", "prisma", "crontab", "systemctl", "launchctl",
		"sudo", "doas", "env", "sh", "bash", "zsh", "eval", "powershell", "pwsh":
		return true
	}
	return false
}

// takesNames reports whether the operands of a program are names or texts, also
// where they look like a command.
func takesNames(name string) bool {
	switch name {
	case "apt", "apt-get", "apt-cache", "aptitude", "dpkg", "rpm", "yum", "dnf", "zypper", "pacman", "apk", "snap", "flatpak", "brew", "port", "pkg", "choco", "scoop", "winget", "nix-env",
		"which", "whereis", "type", "hash", "where", "get-command", "gcm", "findstr", "select-string", "write-host", "write-output", "rem", "man", "info", "help", "tldr", "apropos", "whatis", "pgrep", "pkill", "killall", "pidof", "service",
		"grep", "egrep", "fgrep", "rg", "ag", "ack", "awk", "jq", "ls", "cat", "head", "tail", "wc", "sort", "diff", "less", "touch", "mkdir", "rmdir", "basename", "dirname", "stat", "file", "kill", "sleep", "seq", "expr", "date",
		"vim", "vi", "nano", "code", "claude", "codex", "gemini", "cowsay", "figlet", "notify-send", "logger", "say", "wall":
		return true
	}
	return false
}
