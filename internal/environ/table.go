package environ

import (
	"runtime"
	"slices"
	"strings"
)

// kind is how a variable is passed on.
type kind byte

const (
	plain          kind = iota // as it is
	dropped                    // not at all
	onePath                    // if its value is one path that passes the path test
	list                       // without the entries that fail the path test
	exact                      // if its value is one of a few
	options                    // if it consists only of known options of node
	path                       // PATH
	directory                  // unless it is relative or leads into the project
	temporaryFiles             // if it is a directory outside the project that can be written
)

// families are the beginnings of names whose variables are dropped unless the
// tables below say otherwise. Interpreters add names to them in every release.
var families = [...]string{
	"LD_", "DYLD_", "BASH_", "PYTHON", "PERL", "RUBY", "NODE_", "DENO_", "BUN_", "LUA_", "JAVA_", "JDK_", "GIT_",
	"R_", "OPENSSL_", "CORECLR_", "COR_", "FISH_", "_PYTHON", "__PYVENV",
}

// names are the single names that are dropped, sorted.
var names = [...]string{
	"BASHOPTS", "ENV", "EXECIGNORE", "FUNCNEST", "GLIBC_TUNABLES", "GLOBIGNORE", "GREP_OPTIONS",
	"LOCPATH", "NPM_CONFIG_NODE_OPTIONS", "NPM_CONFIG_SCRIPT_SHELL", "NULLCMD", "OPTIND", "POSIXLY_CORRECT", "PROMPT_COMMAND", "PS4", "READNULLCMD",
	"RIPGREP_CONFIG_PATH", "SHELLOPTS", "TAR_OPTIONS", "TMOUT", "WGETRC", "_JAVA_OPTIONS",
}

// harmless are the names in a family that can only cost comfort, sorted; so are
// those that end with _VERSION or begin with GIT_AUTHOR_ or GIT_COMMITTER_.
var harmless = [...]string{
	"GIT_BRANCH", "GIT_COMMIT", "GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "GIT_URL",
	"NODE_AUTH_TOKEN", "NODE_ENV", "NODE_NAME", "NODE_USE_ENV_PROXY", "PYTHONDONTWRITEBYTECODE", "PYTHONFAULTHANDLER",
	"PYTHONNOUSERSITE", "PYTHONSAFEPATH", "PYTHONUNBUFFERED",
}

// singles are the names that hold one path, sorted; so are those that begin with
// JAVA_HOME. A family's other names are flags, options, or files whose content
// decides whether a program does its work (BASH_ENV, GIT_DIR, PYTHONHOME): even a
// path of the system would switch a hook off there.
var singles = [...]string{
	"ASDF_CONFIG_FILE", "ASDF_DATA_DIR", "ASDF_DIR", "BUN_INSTALL", "CARGO_HOME", "COMSPEC", "CURL_HOME", "DENO_CERT", "DENO_DIR", "DENO_INSTALL",
	"DENO_INSTALL_ROOT", "DOTNET_STARTUP_HOOKS", "DYLD_INSERT_LIBRARIES", "EDITOR", "GIT_ASKPASS", "GIT_SSH", "GIT_SSL_CAINFO",
	"GIT_SSL_CAPATH", "INPUTRC", "JDK_HOME", "LD_PRELOAD", "MANPAGER", "MISE_CONFIG_DIR", "MISE_DATA_DIR", "MISE_GLOBAL_CONFIG_FILE",
	"MISE_SYSTEM_DIR", "NODE_EXTRA_CA_CERTS", "NODE_HOME", "NPM_CONFIG_GLOBALCONFIG", "NPM_CONFIG_USERCONFIG", "OPENSSL_ENGINES",
	"OPENSSL_MODULES", "PAGER", "PHPRC", "PYTHONPYCACHEPREFIX", "PYTHONSTARTUP", "PYTHONUSERBASE", "RUSTUP_HOME", "R_HOME", "SHELL",
	"SSH_ASKPASS", "TEXTDOMAINDIR", "UV_CONFIG_FILE", "UV_ENV_FILE", "UV_PROJECT", "UV_PYTHON", "VISUAL", "VOLTA_HOME", "ZDOTDIR",
}

// listEnds are the ends of names outside the families that hold a search list.
var listEnds = [...]string{
	"CLASSPATH", "LIBPATH", "_FRAMEWORK_PATH", "_HOOK_PATH", "_LIBRARY_PATH", "_LOAD_COMPILED_PATH", "_LOAD_PATH", "_MODULE_PATH", "_PLUGIN_PATH",
}

// lists are the names that hold a search list, sorted; so are those that begin
// with DYLD_ and end with _PATH.
var lists = [...]string{
	"AWKLIBPATH", "AWKPATH", "CDPATH", "ERL_LIBS", "FPATH", "GCONV_PATH", "GEM_HOME", "GEM_PATH", "GI_TYPELIB_PATH", "GOPATH",
	"JULIA_DEPOT_PATH", "LD_LIBRARY_PATH", "LD_RUN_PATH", "MODULE_PATH", "NODE_PATH", "PERL5LIB", "PERLLIB", "PERL_LOCAL_LIB_ROOT",
	"PHP_INI_SCAN_DIR", "PKG_CONFIG_PATH", "PSMODULEPATH", "PYTHONPATH", "RUBYLIB", "R_LIBS", "R_LIBS_SITE", "R_LIBS_USER", "TCLLIBPATH",
	"XDG_CONFIG_DIRS", "XDG_DATA_DIRS",
}

// directories are the names that hold one of the user's directories, sorted.
var directories = [...]string{"HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"}

// values are the exact values with which a variable is passed on, besides one
// path where paths has it.
var values = [...]struct {
	name   string
	values []string
}{
	{"EDITOR", editors}, {"GIT_EDITOR", editors}, {"GIT_PAGER", pagers}, {"GIT_SEQUENCE_EDITOR", editors},
	{"GTK_MODULES", []string{"gail:atk-bridge"}},
	{"LESSCLOSE", []string{"/usr/bin/lesspipe %s %s"}},
	{"LESSOPEN", []string{"| /usr/bin/lesspipe %s", "||/usr/bin/lesspipe.sh %s"}},
	{"MANPAGER", pagers}, {"PAGER", pagers},
	{"PYTHONHASHSEED", []string{"", "0", "random"}},
	{"PYTHONIOENCODING", []string{"", "utf-8", "utf8", "UTF-8", "UTF8", "utf_8", "utf-8:replace", "utf-8:surrogateescape", "utf-8:backslashreplace"}},
	{"PYTHONUTF8", []string{"", "0", "1"}},
	{"SHELL", shells}, {"VISUAL", editors},
}

var (
	editors = []string{"", ":", "true", "vi", "vim", "nvim", "nano", "emacs"}
	pagers  = []string{"", "cat", "less", "more"}
	shells  = []string{"/bin/sh", "/bin/bash", "/bin/zsh", "/bin/dash", "/usr/bin/bash", "/usr/bin/zsh", "/usr/bin/fish"}
)

// nodeOptions are the options of which NODE_OPTIONS may consist; a number
// follows the =.
var nodeOptions = [...]string{"--max-old-space-size=", "--use-openssl-ca", "--use-system-ca"}

// kindOf returns how a variable is passed on. Names are compared in upper case:
// Windows ignores case, and so do npm and others for their own variables.
func kindOf(name string) kind {
	if name == "PATH" {
		return path
	}
	key := strings.ToUpper(name)
	switch {
	case key == "PATH":
		if runtime.GOOS == "windows" {
			return path
		}
		return list
	case isSorted(directories[:], key):
		return directory
	case isTemporary(name):
		return temporaryFiles
	case key == "NODE_OPTIONS":
		return options
	case exactOf(key) != nil:
		return exact
	case isSorted(singles[:], key), strings.HasPrefix(key, "JAVA_HOME"):
		return onePath
	case isSorted(names[:], key):
		return dropped
	case isFamily(key):
		return kindInFamily(key)
	case isSorted(lists[:], key), isListEnd(key):
		return list
	}
	return plain
}

// isTemporary reports whether a variable names the directory for temporary files,
// without which a shell has no here-documents.
func isTemporary(name string) bool {
	return runtime.GOOS != "windows" && (name == "TMPDIR" || name == "TMP" || name == "TEMP")
}

func kindInFamily(key string) kind {
	switch {
	case isSorted(harmless[:], key), strings.HasSuffix(key, "_VERSION"), strings.HasPrefix(key, "GIT_AUTHOR_"), strings.HasPrefix(key, "GIT_COMMITTER_"):
		return plain
	case isSorted(lists[:], key), strings.HasPrefix(key, "DYLD_") && strings.HasSuffix(key, "_PATH"):
		return list
	}
	return dropped
}

func isFamily(key string) bool {
	return slices.ContainsFunc(families[:], func(family string) bool { return strings.HasPrefix(key, family) })
}

func isSorted(all []string, key string) bool {
	_, found := slices.BinarySearch(all, key)
	return found
}

func isListEnd(key string) bool {
	return slices.ContainsFunc(listEnds[:], func(end string) bool { return strings.HasSuffix(key, end) })
}

// exactOf returns the exact values of a variable; nil if it may have others.
func exactOf(key string) []string {
	for _, v := range values {
		if v.name == key {
			return v.values
		}
	}
	return nil
}

// isKnownOptions reports whether NODE_OPTIONS consists only of options that load
// nothing.
func isKnownOptions(value string) bool {
	for word := range strings.SplitSeq(value, " ") {
		known := word == ""
		for _, option := range nodeOptions {
			number, has := strings.CutPrefix(word, option)
			if wants := strings.HasSuffix(option, "="); has && (wants && isNumber(number) || !wants && number == "") {
				known = true
			}
		}
		if !known {
			return false
		}
	}
	return true
}

func isNumber(s string) bool {
	return s != "" && len(s) < 10 && strings.Trim(s, "0123456789") == ""
}
