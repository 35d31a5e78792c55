package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/spec"
)

// system describes this machine to package install.
func (env *Env) system() install.System {
	home := env.home()
	if !filepath.IsAbs(home) {
		home = ""
	}
	user, _ := env.userHooks()
	state := env.state()
	running, _ := os.Executable()
	s := install.System{
		Home: home, Project: env.projectRoot(), GOOS: runtime.GOOS, Getenv: env.getenvOutside,
		LookPath: osexec.LookPath, VersionOf: programVersion, StateDir: state, DataDir: env.dataDir(home), Running: running,
		Temporary: []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm", "/proc", "/run/user"},
	}
	s.Hint = config.ReadFile(filepath.Join(s.Project, ".agents", config.Name), discovery.ProjectScope).InstallHint()
	if user != "" {
		s.ConfigDir = filepath.Dir(filepath.Dir(user))
	}
	if state != "" {
		s.StateHome = filepath.Dir(state)
	}
	return s.Caching()
}

// getenvOutside returns a variable of the agents' environment. Their shell, and the directory of the
// program that their entries call, are not the project's (D101).
func (env *Env) getenvOutside(name string) string {
	value := env.Getenv(name)
	switch {
	case env.leave == nil:
	case name == "XDG_DATA_HOME", name == "LOCALAPPDATA":
		return os.Getenv(name)
	case name == "SHELL" && (!filepath.IsAbs(value) || paths.Contains(paths.Physical(env.projectRoot()), paths.Physical(value))):
		return ""
	}
	return value
}

// dataDir returns the directory for a copy of the program; "" if there is none.
func (env *Env) dataDir(home string) string {
	data := env.getenvOutside("XDG_DATA_HOME")
	if runtime.GOOS == "windows" {
		data = env.getenvOutside("LOCALAPPDATA")
	}
	switch {
	case filepath.IsAbs(data):
	case home != "" && runtime.GOOS != "windows":
		data = filepath.Join(home, ".local", "share")
	default:
		return ""
	}
	return filepath.Join(data, "agent-hooks")
}

// projectRoot returns the root of the repository that contains the current directory, or the
// directory itself.
func (env *Env) projectRoot() string {
	if project := env.load(nil).Project; project.Hooks != "" {
		return project.Root
	}
	start := env.absolute(cmp.Or(env.project, "."))
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return start
		}
	}
}

// programVersion runs a program to get its version.
func programVersion(ctx context.Context, program string) string {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := osexec.CommandContext(ctx, program, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return install.FindVersion(string(out))
}

// clients returns the agents that the user names, or all that are installed.
func (env *Env) clients(command string, s install.System, all bool, names []string) ([]*install.Client, error) {
	found := slices.DeleteFunc(install.All(), func(c *install.Client) bool { return !s.Locate(c).Here() })
	switch {
	case all && len(names) > 0:
		return nil, usagef("agent-hooks "+command+" --all", "%s: --all already includes every agent", command)
	case all && len(found) == 0:
		return nil, fmt.Errorf("%s: no agent was found on this machine; agent-hooks help install lists the known agents", command)
	case all:
		return found, nil
	case len(names) == 0:
		here := "found here"
		for i, c := range found {
			here += []string{": ", ", "}[min(i, 1)] + c.Name
		}
		if len(found) == 0 {
			here = "none was found on this machine"
		}
		return nil, usagef("agent-hooks "+command+" AGENT, or --all", "%s: no agent given; %s", command, here)
	}
	var clients []*install.Client
	for _, name := range names {
		c := install.Find(name)
		if c == nil {
			return nil, unknownAgent(command, name, "`agent-hooks "+command+" %s`")
		}
		if !slices.ContainsFunc(clients, func(other *install.Client) bool { return other.Name == c.Name }) {
			clients = append(clients, c)
		}
	}
	return clients, nil
}

// permanentProgram returns the program for the entries.
func (env *Env) permanentProgram(s install.System, named, scope string) (install.Chosen, error) {
	if named != "" {
		path, err := install.CheckProgram(env.absolute(named))
		if err != nil {
			return install.Chosen{}, fmt.Errorf("install: --program: %w", err)
		}
		return install.Chosen{Path: path}, nil
	}
	if scope == "project" {
		return install.Chosen{Path: "agent-hooks"}, nil // from each machine's PATH
	}
	executable, err := os.Executable()
	if err != nil {
		return install.Chosen{}, err
	}
	program, err := install.Program(executable, env.Args[0], s)
	if err != nil {
		return install.Chosen{}, usagef("move it to a folder of PATH that is not temporary, or name it with --program PATH", "install: %v", err)
	}
	return program, nil
}

// extensionEvents returns the extension events that hooks of user or project use. Only those
// are registered in addition (D49).
func (env *Env) extensionEvents() map[spec.EventType]bool {
	used := map[spec.EventType]bool{}
	for event, hooks := range env.load(nil).Table {
		used[event] = len(hooks) > 0
	}
	return used
}
