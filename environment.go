package agenthooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/spec"
)

// inherited returns the environment without agent-hooks' own variables, and the
// values of PATH and AGENT_HOOKS_DEPTH.
func inherited(environ []string) (rest []string, path string, depth int) {
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		switch upper := strings.ToUpper(name); {
		case upper == "AGENT_HOOKS_DEPTH":
			depth, _ = strconv.Atoi(value)
		case strings.HasPrefix(upper, "AGENT_HOOKS_"):
		case upper == "PATH":
			path = absoluteEntries(value)
			fallthrough
		default:
			rest = append(rest, kv)
		}
	}
	return slices.Clip(rest), path, max(depth, 0)
}

// cleanOnce returns a function that returns the part of environ that hooks
// inherit, and notes on the rest. It cleans environ on the first call (D22).
// The files in project and in the directories that around returns are
// untrusted.
func cleanOnce(environ []string, project string, around func() []string) func() (cleaned, notes []string) {
	return sync.OnceValues(func() ([]string, []string) {
		return cleanEnviron(environ, func() []string { return append([]string{project, place.Physical(project)}, around()...) })
	})
}

// environ returns the environment of a hook's process.
func (r *runner) environ(t *turn) []string {
	inherited, _ := r.plan.hooks.inherits()
	return append(t.foreign.environ(inherited), r.variables(t)...)
}

// variables returns the AGENT_HOOKS_ variables for one hook (D22). A value that
// is too large or that an environment cannot hold is omitted with a warning.
func (r *runner) variables(t *turn) (vars []string) {
	for _, v := range []struct{ name, value string }{
		{"AGENT_HOOKS_EVENT", string(r.plan.Event.Type)},
		{"AGENT_HOOKS_HOOK", t.row.Hook.Folder},
		{"AGENT_HOOKS_HOOK_DIR", t.row.Hook.Dir},
		{"AGENT_HOOKS_PROJECT_DIR", r.plan.hooks.Project.Root},
		{"AGENT_HOOKS_WORK_DIR", r.plan.WorkDir},
		{"AGENT_HOOKS_SESSION_ID", r.plan.Event.SessionID},
		{"AGENT_HOOKS_AGENT", r.plan.hooks.agent},
		{"AGENT_HOOKS_DEPTH", strconv.Itoa(r.plan.hooks.depth + 1)},
		{"AGENT_HOOKS_PROGRAM", r.plan.hooks.program},
	} {
		switch {
		case v.name == "AGENT_HOOKS_PROGRAM" && v.value == "":
		case strings.ContainsRune(v.value, 0):
			t.report.warnf("%s is omitted: its value has a NUL byte", v.name)
		case len(v.value) > spec.MaxEnvValue:
			t.report.warnf("%s is omitted: its value is above 4 KiB", v.name)
		default:
			vars = append(vars, v.name+"="+v.value)
		}
	}
	return append(vars, "PWD="+r.plan.WorkDir)
}

// Cleaned lists the variables of the caller's environment that hooks do not
// inherit because they would make interpreters run files of the project (D22),
// one line each.
func (p *Plan) Cleaned() []string {
	_, notes := p.hooks.inherits()
	return notes
}

// cleanEnviron removes settings that would make a hook's interpreter load files
// from its working directory or from the project: empty and relative entries in
// search lists, and variables that load code from there. It calls projects only
// if a variable names a path.
func cleanEnviron(environ []string, projects func() []string) (cleaned, notes []string) {
	c := cleaner{sync.OnceValue(projects)}
	git := slices.ContainsFunc(environ, func(kv string) bool {
		name, value, _ := strings.Cut(kv, "=")
		return isGitConfig(name) && c.loads(value)
	})
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		key := strings.ToUpper(name)
		switch {
		case isSearchList(key):
			if kept := absoluteEntries(value); kept != value {
				notes = append(notes, fmt.Sprintf("hooks get %s without its empty and relative entries", name))
				kv = name + "=" + kept
			}
			if _, rest, _ := strings.Cut(kv, "="); rest == "" {
				continue // an empty list can mean the current directory
			}
		case isGitConfig(name) && git,
			isCodeFile(key) && !c.outside(value),
			isCodeOption(key) && c.loads(value):
			notes = append(notes, fmt.Sprintf("hooks do not get %s, which would make programs run files of the project or of the current directory", name))
			continue
		}
		cleaned = append(cleaned, kv)
	}
	return cleaned, notes
}

// isSearchList reports whether a variable lists directories from which
// programs, modules or libraries are loaded.
func isSearchList(name string) bool {
	switch name {
	case "PATH", "PYTHONPATH", "NODE_PATH", "PERL5LIB", "PERLLIB", "RUBYLIB", "GEM_PATH", "GEM_HOME", "GOPATH", "FPATH", "CDPATH",
		"LUA_PATH", "LUA_CPATH", "TCLLIBPATH", "ERL_LIBS", "R_LIBS", "R_LIBS_USER", "PSMODULEPATH", "GI_TYPELIB_PATH",
		"PKG_CONFIG_PATH", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "PHP_INI_SCAN_DIR", "GCONV_PATH", "GIT_EXEC_PATH", "JULIA_DEPOT_PATH":
		return true
	}
	for _, end := range []string{"_LIBRARY_PATH", "_FRAMEWORK_PATH", "_LOAD_PATH", "_LOAD_COMPILED_PATH", "_PLUGIN_PATH", "_MODULE_PATH", "LIBPATH", "CLASSPATH"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// isCodeFile reports whether a variable names a file or directory whose code
// runs when a program starts.
func isCodeFile(name string) bool {
	switch name {
	case "BASH_ENV", "ENV", "ZDOTDIR", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX", "LD_PRELOAD", "LD_AUDIT",
		"DYLD_INSERT_LIBRARIES", "DOTNET_STARTUP_HOOKS", "PHPRC", "LUA_INIT", "R_PROFILE", "R_PROFILE_USER", "R_ENVIRON", "R_ENVIRON_USER",
		"OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES", "RIPGREP_CONFIG_PATH", "CURL_HOME", "WGETRC", "INPUTRC",
		"GIT_TEMPLATE_DIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG", "GIT_DIR", "GIT_COMMON_DIR", "NPM_CONFIG_USERCONFIG", "NPM_CONFIG_GLOBALCONFIG":
		return true
	}
	return strings.HasPrefix(name, "LUA_INIT_")
}

// isCodeOption reports whether a variable holds options or commands that may
// load code.
func isCodeOption(name string) bool {
	switch name {
	case "NODE_OPTIONS", "PERL5OPT", "PERL5DB", "RUBYOPT", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "PYTHONBREAKPOINT",
		"PYTHONWARNINGS", "EDITOR", "VISUAL", "PAGER", "MANPAGER", "LESSOPEN", "LESSCLOSE", "PROMPT_COMMAND", "SHELL", "SSH_ASKPASS",
		"BUN_OPTIONS", "DENO_OPTIONS", "GTK_MODULES", "BASH_FUNC", "NPM_CONFIG_NODE_OPTIONS", "NPM_CONFIG_SCRIPT_SHELL":
		return true
	}
	return strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "GIT_AUTHOR_") && !strings.HasPrefix(name, "GIT_COMMITTER_")
}

// isGitConfig reports whether a variable is one of git's numbered configuration
// variables, which must be kept or removed together.
func isGitConfig(name string) bool {
	return name == "GIT_CONFIG_COUNT" || name == "GIT_CONFIG_PARAMETERS" ||
		strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

// absoluteEntries returns a search list without its empty and relative entries.
func absoluteEntries(list string) string {
	separator := string(os.PathListSeparator)
	if strings.Contains(list, ";") && !strings.ContainsAny(list, ":") {
		separator = ";" // as in LUA_PATH
	}
	entries := strings.Split(list, separator)
	return strings.Join(slices.DeleteFunc(entries, func(e string) bool { return !filepath.IsAbs(strings.Trim(e, `"`)) }), separator)
}

// cleaner checks paths against the projects' directories.
type cleaner struct{ projects func() []string }

// outside reports whether every path in a list is absolute and outside the
// project. An empty value names no path.
func (c cleaner) outside(list string) bool {
	for _, path := range strings.FieldsFunc(list, func(r rune) bool { return r == os.PathListSeparator || r == ' ' }) {
		if !filepath.IsAbs(path) || c.inProject(path) {
			return false
		}
	}
	return true
}

func (c cleaner) inProject(path string) bool {
	for _, p := range []string{filepath.Clean(path), place.Physical(path)} {
		for _, dir := range c.projects() {
			if dir != "" && place.Contains(dir, p) {
				return true
			}
		}
	}
	return false
}

// loads reports whether options or a command contain a relative path or one in
// the project.
func (c cleaner) loads(options string) bool {
	words := strings.FieldsFunc(options, func(r rune) bool { return strings.ContainsRune(" \t\n=,;:|&()<>\"'`", r) })
	operand := false // the word is the operand of an option that loads a module
	for _, word := range words {
		if operand && !filepath.IsAbs(word) {
			return true
		}
		operand = slices.Contains([]string{"-r", "--require", "--import", "--loader", "--experimental-loader", "-I", "--env-file", "--preload", "-cp", "-classpath"}, word)
		path := word
		for _, option := range []string{"-I", "-r", "-javaagent", "-agentpath", "@", "+", "!", "file"} {
			path = strings.TrimPrefix(path, option)
		}
		switch {
		case strings.Contains(options, "://"+strings.TrimPrefix(word, "//")): // a URL
		case filepath.IsAbs(path):
			if c.inProject(path) {
				return true
			}
		case strings.HasPrefix(word, "-I") && path != "", strings.ContainsAny(path, `/\`) && path[0] != '~' && path[0] != '-' && path[0] != '$', path == ".", path == "..":
			return true
		}
	}
	return false
}
