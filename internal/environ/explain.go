package environ

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// maxNamed limits how many names or entries a message has, because a repository
// may have chosen them.
const maxNamed = 8

// Notes describes which variables hooks do not inherit, or with another value, one
// line each. Of search lists, only PATH is among them: Explain names the others, and
// the variables that lead into the project, where a hook fails.
func (c *Cleaned) Notes() (notes []string) {
	if len(c.Dropped) > 0 {
		notes = append(notes, fmt.Sprintf("hooks do not get %s, with which programs could run other code or not do their work; environment in your hooks.toml passes them on", Names(c.Dropped)))
	}
	for _, list := range c.Shortened {
		if kindOf(list.Name) == path {
			notes = append(notes, list.String())
		}
	}
	if len(c.Moved) > 0 {
		notes = append(notes, fmt.Sprintf("your hooks get PATH with %s last, because the project or the working directory contains it", entries(c.Moved)))
	}
	if c.Home != "" {
		notes = append(notes, fmt.Sprintf("hooks get %s as HOME, your account's home directory", shown.Path(c.Home)))
	}
	return notes
}

// Failure describes the failure of a hook.
type Failure struct {
	Project bool   // the hook is the project's
	Program string // the base name of the program that runs the hook's script
	Text    string // the failure's message and the script
	Missing bool   // a program was not found
}

// Explain returns what could explain a hook's failure, "" for nothing: dropped
// variables and entries of programs that the failure names, and moved entries of
// PATH if one has the program that runs the hook or a program was not found.
// failure is called only if there is any.
func (c *Cleaned) Explain(failure func() Failure) string {
	if len(c.Dropped)+len(c.Led)+len(c.Shortened)+len(c.Moved) == 0 {
		return ""
	}
	f := failure()
	var causes, names []string
	for _, name := range c.Dropped {
		if f.concerns(name) {
			names = append(names, name)
		}
	}
	for _, name := range c.Led {
		if !f.Project && f.concerns(name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		causes = append(causes, "hooks do not get "+Names(names))
	}
	for _, list := range c.Shortened {
		isPath := kindOf(list.Name) == path
		if !isPath && f.concerns(list.Name) || isPath && (f.Missing || holds(list.Entries, f.Program)) {
			causes = append(causes, list.String())
		}
	}
	if !f.Project && (f.Missing || holds(c.Moved, f.Program)) && len(c.Moved) > 0 {
		causes = append(causes, fmt.Sprintf("your hooks get PATH with %s last", entries(c.Moved)))
	}
	return strings.Join(causes, "; ")
}

// programs are words for the programs that read the variables of a family.
var programs = [...]struct{ family, word string }{
	{"PYTHON", "python"}, {"PERL", "perl"}, {"RUBY", "ruby"}, {"GEM_", "ruby"}, {"NODE_", "node"}, {"DENO_", "deno"}, {"BUN_", "bun"},
	{"LUA_", "lua"}, {"JAVA_", "java"}, {"JDK_", "java"}, {"_JAVA_", "java"}, {"GIT_", "git"}, {"R_", "Rscript"}, {"OPENSSL_", "openssl"},
	{"BASH", "sh"}, {"SHELLOPTS", "sh"}, {"ENV", "sh"}, {"LD_", ""}, {"DYLD_", ""},
}

// concerns reports whether a variable could explain the failure: the failure or
// the script names the variable or a program that reads it.
func (f Failure) concerns(name string) bool {
	key := strings.ToUpper(name)
	for _, p := range programs {
		if strings.HasPrefix(key, p.family) && (strings.Contains(f.Program, p.word) || strings.Contains(f.Text, p.word)) {
			return true
		}
	}
	return strings.Contains(f.Text, name)
}

// holds reports whether one of the directories has the program.
func holds(dirs []string, program string) bool {
	return program != "" && slices.ContainsFunc(dirs, func(dir string) bool {
		info, err := os.Stat(filepath.Join(dir, program))
		return err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular()
	})
}

// String describes what hooks do not get.
func (l List) String() string {
	return fmt.Sprintf("hooks get %s without %s", Names([]string{l.Name}), entries(l.Entries))
}

// Names joins names of variables for a message.
func Names(names []string) string { return joined(names, isName) }

func entries(all []string) string { return joined(all, func(string) bool { return false }) }

func joined(all []string, bare func(string) bool) string {
	var texts []string
	for _, text := range all[:min(len(all), maxNamed)] {
		text = shown.Cut(text, 200)
		if !bare(text) {
			text = strconv.Quote(text)
		}
		texts = append(texts, text)
	}
	if more := len(all) - maxNamed; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, ", ")
}

func isName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_'
	})
}
