package environ

import (
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

// TestTable compares rule 9.2a of RUNNER.md with the tables.
func TestTable(t *testing.T) {
	_, section, _ := strings.Cut(spec.Text(), "**9.2a**")
	section, _, _ = strings.Cut(section, "**9.3**")
	section = strings.ReplaceAll(section, `\|`, "|")
	var all []string
	for _, names := range [][]string{families[:], names[:], harmless[:], singles[:], lists[:], listEnds[:], directories[:]} {
		all = append(all, names...)
	}
	for _, v := range values {
		all = append(all, v.name)
		for _, value := range v.values {
			if value != "" {
				all = append(all, value)
			}
		}
	}
	for _, name := range all {
		if !strings.Contains(section, "`"+name+"`") && !strings.Contains(section, "`"+name+"*`") && !strings.Contains(section, "`*"+name+"`") {
			t.Errorf("%q is not in RUNNER.md 9.2a", name)
		}
	}
	for _, sorted := range [][]string{names[:], harmless[:], singles[:], lists[:], directories[:]} {
		if !slices.IsSorted(sorted) {
			t.Errorf("not sorted: %q", sorted)
		}
	}
}

// TestCodeVariables checks that no variable that makes a program load code is
// passed on as it is: search lists, files and options.
func TestCodeVariables(t *testing.T) {
	const all = `PATH PYTHONPATH NODE_PATH PERL5LIB PERLLIB RUBYLIB GEM_PATH GEM_HOME GOPATH FPATH CDPATH LUA_PATH LUA_CPATH TCLLIBPATH
		ERL_LIBS R_LIBS R_LIBS_USER PSMODULEPATH GI_TYPELIB_PATH PKG_CONFIG_PATH XDG_DATA_DIRS XDG_CONFIG_DIRS PHP_INI_SCAN_DIR
		GCONV_PATH GIT_EXEC_PATH JULIA_DEPOT_PATH X_LIBRARY_PATH X_FRAMEWORK_PATH X_LOAD_PATH X_LOAD_COMPILED_PATH X_PLUGIN_PATH
		X_MODULE_PATH LIBPATH CLASSPATH BASH_ENV ENV ZDOTDIR PYTHONSTARTUP PYTHONHOME PYTHONUSERBASE PYTHONPYCACHEPREFIX LD_PRELOAD
		LD_AUDIT DYLD_INSERT_LIBRARIES DOTNET_STARTUP_HOOKS PHPRC LUA_INIT LUA_INIT_5_4 R_PROFILE R_PROFILE_USER R_ENVIRON
		R_ENVIRON_USER OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES RIPGREP_CONFIG_PATH CURL_HOME WGETRC INPUTRC GIT_TEMPLATE_DIR
		GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG GIT_DIR GIT_COMMON_DIR NPM_CONFIG_USERCONFIG NPM_CONFIG_GLOBALCONFIG
		NODE_OPTIONS PERL5OPT PERL5DB RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS PYTHONBREAKPOINT PYTHONWARNINGS EDITOR
		VISUAL PAGER MANPAGER LESSOPEN LESSCLOSE PROMPT_COMMAND SHELL SSH_ASKPASS BUN_OPTIONS DENO_OPTIONS GTK_MODULES BASH_FUNC
		NPM_CONFIG_NODE_OPTIONS NPM_CONFIG_SCRIPT_SHELL GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0
		GIT_SSH_COMMAND GIT_ANYTHING`
	for _, name := range strings.Fields(all) {
		for _, spelled := range []string{name, strings.ToLower(name)} {
			if kindOf(spelled) == plain {
				t.Errorf("%s is passed on as it is", spelled)
			}
		}
	}
}

func TestKinds(t *testing.T) {
	for name, want := range map[string]kind{
		"HOME": directory, "LANG": plain, "TERM": plain, "VIRTUAL_ENV": plain, "MY_PATH": plain, "": plain, "PYTHON": dropped,
		"PYTHONUTF8": exact, "PYTHONINSPECT": dropped, "PYTHONOPTIMIZE": dropped, "PYTHON_VERSION": plain, "PYTHON_GIL": dropped,
		"GIT_AUTHOR_DATE": plain, "GIT_CEILING_DIRECTORIES": dropped, "GIT_SSL_CAINFO": onePath, "LD_TRACE_LOADED_OBJECTS": dropped,
		"LD_DEBUG": dropped, "BASH_FUNC_grep%%": dropped, "BASH_FUNC_grep()": dropped, "DYLD_FALLBACK_LIBRARY_PATH": list,
		"JAVA_HOME_17_X64": onePath, "NODE_ENV": plain, "NODE_TEST_CONTEXT": dropped, "npm_config_registry": plain, "R_HOME": onePath,
	} {
		if got := kindOf(name); got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
}

func TestNodeOptions(t *testing.T) {
	for value, want := range map[string]bool{
		"": true, "--max-old-space-size=4096": true, " --use-system-ca  --use-openssl-ca ": true,
		"--max-old-space-size": false, "--max-old-space-size=": false, "--max-old-space-size=1e3": false, "--max_old_space_size=1": false,
		"--use-system-ca=1": false, "--use-system-ca\t-r x": false, "--max-old-space-size=1\n--import=x": false, `"--use-system-ca"`: false,
	} {
		if isKnownOptions(value) != want {
			t.Errorf("%q: %v", value, !want)
		}
	}
}
