package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// client describes one coding agent for the harness.
type client struct {
	name     string   // its name in `agent-hooks install`
	packages []string // from npm, with versions; the first is the client itself
	program  string   // in node_modules/.bin

	// files returns the files in the home folder: settings that make the client use only the
	// scripted model.
	files func(r run) map[string]string
	// hookFile is the settings file for hooks, one of these or another one.
	hookFile string
	// env returns the client's variables in addition to the common environment.
	env func(r run) []string
	// args returns the command line of one turn, without the program.
	args func(r run, t turn) []string
	// modes are the arguments for modes of permissions, instead of those with which a turn starts.
	modes map[string][]string
	// raw returns the content of hookFile with one native hook entry, to observe the client
	// without agent-hooks.
	raw func(r run, event, command string) string
	// approve returns the manual steps between `install` and the first turn.
	approve func(r run) []command
	// headless lists scenarios in which the agent can do less without a terminal, with the
	// reason.
	headless map[string]string
	// permitsAll means that the client never asks for permission without a terminal, regardless
	// of its settings.
	permitsAll bool
	// userOnly means that the client reads no hooks from a project's settings.
	userOnly bool
	// unmanaged means that the client has no managed settings.
	unmanaged bool
	// means are a user's further means against managed hooks, in this client.
	means []means
	// untried are ways around managed hooks in the agent's table that no means tries, with the reason.
	untried map[string]string
	// quiet means that the client prints no messages of hooks without a terminal.
	quiet bool
	// printsHooks means that a turn with hooks set prints what they answer.
	printsHooks bool
	// ends means that a block ends the turn, so that the model reads no reason.
	ends bool
	// stop are the arguments that end what a turn leaves running with its environment; nil: nothing.
	stop []string
	// loginShell means that hooks run in a login shell.
	loginShell bool
	// plugin contains the command lines that install the agent's plugin; nil: it has none.
	plugin [][]string
	// prepare completes the home folder.
	prepare func(r run) error
}

// turn is one start of the client.
type turn struct {
	prompt string
	goesOn bool // continues the previous conversation
	hooks  bool // prints what hooks answer
	mode   string
}

// run is one conversation with one client.
type run struct {
	client
	job
	cache string
	grant bool // the client's own settings allow the shell tool
	// flawed are files of hooks below the run's folder, instead of native or installed ones.
	flawed map[string]string
	// earlier are the results of means against managed hooks that need not be tried again.
	earlier []attempt
}

func (c client) version() string {
	_, version, _ := strings.Cut(c.packages[0][1:], "@")
	return version
}

// folder returns the folder in which the client is installed.
func (c client) folder(cache string) string {
	return filepath.Join(cache, "clients", c.name+"-"+c.version())
}

func (c client) programPath(cache string) string {
	return filepath.Join(c.folder(cache), "node_modules", ".bin", c.program)
}

func nodeFolder(cache string) string {
	return filepath.Join(cache, "clients", "node-24", "node_modules", ".bin")
}

// path returns the PATH for the client, its hooks and agent-hooks.
func (r run) path() string {
	return strings.Join([]string{filepath.Join(r.home(), "bin"), nodeFolder(r.cache), filepath.Dir(r.programPath(r.cache)), filepath.Dir(installedProgram), "/usr/bin", "/bin"}, ":")
}

// writeFiles fills the home folder.
func (r run) writeFiles() error {
	for name, content := range r.files(r) {
		if err := writeFile(filepath.Join(r.home(), name), content, 0o600); err != nil {
			return err
		}
	}
	if r.prepare != nil {
		return r.prepare(r)
	}
	return nil
}

// start returns the command of one turn.
func (r run) start(name string, t turn) command {
	args := append([]string{r.programPath(r.cache)}, r.args(r, t)...)
	c := command{Name: name, Args: args, Env: r.env(r), Timeout: turnTimeout}
	if slices.Contains(args, "app-server") {
		c.Plan = t.prompt
	}
	return c
}

func clients() []client {
	return []client{claudeCode(), codex(), geminiCLI(), qwenCode(), kimiCode(), opencode(), openclaw(), copilot(), kilo(), pi(), droid(), cline(), crush(), auggie(), grok()}
}

func writeFile(path, content string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), mode)
}
