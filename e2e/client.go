package main

import (
	"os"
	"path/filepath"
	"strings"
)

// client is one coding agent, and what the harness must know of it.
type client struct {
	name     string   // as `agent-hooks install` calls it
	packages []string // from npm, with versions; the first is the client itself
	program  string   // in node_modules/.bin

	// files are what the client finds in the home folder: settings that make
	// it use the scripted model and nothing else.
	files func(r run) map[string]string
	// hookFile is the file of these, or a further one, that hooks belong to.
	hookFile string
	// env is what its process needs besides the common environment.
	env func(r run) []string
	// args returns the command line of one turn, without the program.
	args func(r run, t turn) []string
	// raw returns the content of hookFile with one native hook entry, to see
	// the client without agent-hooks.
	raw func(r run, event, command string) string
	// approve is what a person does between `install` and the first turn.
	approve func(r run) []command
	// headless are scenarios that show less without a terminal than the agent
	// can do, with the reason.
	headless map[string]string
	// permitsAll says that the client asks for nothing without a terminal,
	// whatever its settings say.
	permitsAll bool
	// loginShell says that hooks run in a login shell.
	loginShell bool
	// prepare finishes the home folder.
	prepare func(r run) error
}

// turn is one start of the client.
type turn struct {
	prompt string
	goesOn bool // continues the previous conversation
}

// run is one conversation with one client.
type run struct {
	client
	job
	cache string
	grant bool // the client's own settings permit the shell tool
}

func (c client) version() string {
	_, version, _ := strings.Cut(c.packages[0][1:], "@")
	return version
}

// folder is where the client is installed.
func (c client) folder(cache string) string {
	return filepath.Join(cache, "clients", c.name+"-"+c.version())
}

func (c client) programPath(cache string) string {
	return filepath.Join(c.folder(cache), "node_modules", ".bin", c.program)
}

func nodeFolder(cache string) string {
	return filepath.Join(cache, "clients", "node-24", "node_modules", ".bin")
}

// path is what the client, its hooks and agent-hooks find programs in.
func (r run) path() string {
	return strings.Join([]string{nodeFolder(r.cache), filepath.Dir(r.programPath(r.cache)), filepath.Dir(installedProgram), "/usr/bin", "/bin"}, ":")
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

// start is the command of one turn.
func (r run) start(name string, t turn) command {
	args := append([]string{r.programPath(r.cache)}, r.args(r, t)...)
	return command{Name: name, Args: args, Env: r.env(r), Timeout: turnTimeout}
}

func clients() []client {
	return []client{claudeCode(), codex(), geminiCLI(), qwenCode(), kimiCode(), opencode()}
}

func writeFile(path, content string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), mode)
}

// noEnv is for clients that need nothing in the environment.
func noEnv(run) []string { return nil }
