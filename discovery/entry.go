package discovery

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Entry is the command that starts a hook (D11).
type Entry struct {
	Script string   // the entry point, absolute
	Argv   []string // what to execute; Argv[0] is the program, absolute
	// NotExecutable means that the script lacks the execute permission, on a
	// system that has one.
	NotExecutable bool
}

// Program returns the base name of the program that runs the script, and the
// beginning of the script; "" if they are not known.
func (e Entry) Program() (name, text string) {
	if e.Script == "" {
		return "", ""
	}
	const limit = 64 << 10
	source, _, _ := paths.Read(e.Script, limit)
	program := e.Argv[0]
	if program == e.Script {
		line, _, _ := script{path: e.Script}.shebang()
		program, _ = interpreter(line)
	}
	return filepath.Base(program), string(source)
}

// Entry finds h's entry point: scripts/run if it is executable, else
// scripts/run.sh, else scripts/run.py, else scripts/run.ps1 on Windows, else
// scripts/run without the execute bit (D11). A binary, or an executable script
// with a #! line, is the program itself. For other scripts, Entry searches for
// the interpreter in the absolute folders of path, the PATH variable. An error
// names the obstacle, or the names that were tried.
//
// A hook with a constant answer has no entry point and no error (D77).
func (h *Hook) Entry(path string) (Entry, error) {
	if h.Answer != nil {
		return Entry{}, nil
	}
	s, err := h.script()
	if err != nil {
		return Entry{}, err
	}
	return s.entry(path)
}

// Ready does the work of Permissions and Entry but looks for the entry point
// only once. refused is the error of Permissions, err that of Entry.
func (h *Hook) Ready(path string) (entry Entry, refused, err error) {
	if h.Answer != nil {
		return Entry{}, h.permissions(script{}, maxChecked), nil
	}
	s, err := h.script()
	refused = h.permissions(s, maxChecked)
	if refused != nil || err != nil {
		return Entry{}, refused, err
	}
	entry, err = s.entry(path)
	return entry, nil, err
}

// HasScript reports whether the folder has an entry point, or something in its
// place. An empty folder scripts is not a script.
func (h *Hook) HasScript() bool {
	path := filepath.Join(h.Dir, "scripts")
	dir, err := open(path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) || paths.Dangling(path) != nil
	}
	defer dir.Close()
	names, err := dir.Readdirnames(1)
	return len(names) > 0 || err != io.EOF
}

func (s script) entry(path string) (Entry, error) {
	if s.managed { // whatever the caller's PATH is (D82)
		path = place.SystemPath()
	}
	argv, err := s.argv(path)
	if err != nil {
		return Entry{}, err
	}
	return Entry{Script: s.path, Argv: argv, NotExecutable: hasExecuteBit && !s.executable}, nil
}

// entryError is the reason why an entry point cannot be run, with the code of
// its diagnostic. Its message begins with the path, stored separately because a
// diagnostic has its own field for the path.
type entryError struct{ code, path, said string }

func (e *entryError) Error() string { return shown.Path(e.path) + e.said }

// entryProblem returns an entryError; format is the message after the path.
func entryProblem(code, path, format string, values ...any) error {
	return &entryError{code, path, fmt.Sprintf(format, values...)}
}

// script is an entry point: a regular file.
type script struct {
	path       string
	executable bool // has an execute permission; always false on Windows
	managed    bool // of a managed hook
}

// The entry points in the format's order of precedence (SPEC.md 5.1).
var entryNames = [...]string{"run", "run.sh", "run.py", "run.ps1"}

// script finds the entry point.
func (h *Hook) script() (script, error) {
	s, err := h.findScript()
	s.managed = h.Scope == ManagedScope
	return s, err
}

func (h *Hook) findScript() (script, error) {
	dir := filepath.Join(h.Dir, "scripts")
	var last script          // run without an execute permission
	var obstacle *entryError // the first one
	for _, name := range entryNames {
		if name == "run.ps1" && hasExecuteBit {
			continue // PowerShell scripts run only on Windows
		}
		s, err := lookAt(filepath.Join(dir, name))
		switch {
		case err == nil && (s.executable || name != "run"):
			return s, nil
		case err == nil:
			last = s
		case obstacle == nil:
			errors.As(err, &obstacle)
		}
	}
	switch {
	case last.path != "":
		return last, nil
	case obstacle != nil:
		return script{}, obstacle
	}
	return script{}, noEntry(dir)
}

const leadsNowhere = " is a symbolic link that leads nowhere"

// lookAt returns the script at path, or an fs.ErrNotExist if nothing is there.
func lookAt(path string) (script, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return script{}, err
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		info, err = os.Stat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return script{}, entryProblem("entry-point", path, leadsNowhere)
	case err != nil:
		return script{}, entryProblem("entry-point", path, ": %v", shown.Cause(err))
	case info.IsDir():
		return script{}, entryProblem("entry-point", path, " is a directory, not a file")
	case !info.Mode().IsRegular():
		return script{}, entryProblem("entry-point", path, " is not a regular file")
	}
	return script{path: path, executable: info.Mode()&0o111 != 0}, nil
}

// noEntry returns the error that there is no entry point in a folder.
func noEntry(dir string) error {
	if paths.Dangling(dir) != nil {
		return entryProblem("entry-point", dir, leadsNowhere)
	}
	if _, err := os.Stat(dir); err != nil {
		return entryProblem("entry-point", filepath.Dir(dir), " has no folder scripts; an entry point is scripts/run, scripts/run.sh or scripts/run.py")
	}
	meant := "" // probably, as the entry point
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := e.Name()
		if rest, ok := strings.CutPrefix(name, "run."); meant == "" && !e.IsDir() && ok && rest != "ps1" && paths.ShellWord(name) == name {
			meant = fmt.Sprintf(", but %s; begin it with a #! line that names its interpreter, and rename it: mv %s run && chmod +x run", name, name)
		}
	}
	return entryProblem("entry-point", dir, "%s", " has no run, run.sh or run.py"+meant)
}

// argv returns the command line that runs s.
func (s script) argv(path string) ([]string, error) {
	name := filepath.Base(s.path)
	head, err := s.head()
	if err == nil {
		err = s.checkNewlines(head)
	}
	if err != nil {
		return []string{s.path}, err
	}
	if s.executable {
		// The system executes a file with a #! line, or one that is not text. It rejects a text
		// file without one, which every shell then runs as a script, as the format's own examples
		// expect (D11). An empty file is left to the system, which reports it: a guard that has
		// lost its content must not allow everything.
		empty := name == "run" && len(bytes.TrimSpace(head)) == 0
		if empty || bytes.HasPrefix(head, []byte("#!")) || isBinary(head) {
			return s.bySystem(head, path)
		}
	} else if name == "run" && (shebangOf(head) != "" || hasExecuteBit) {
		return s.byShebang(path)
	}
	switch name {
	case "run.py":
		return s.by(path, pythons())
	case "run.ps1":
		return s.by(path, []string{"pwsh", "powershell"}, "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File")
	}
	return s.by(path, []string{"bash", "sh"})
}

// bySystem returns the command line of a program that the system starts. Where it executes no file, a
// script is started by its #! line, as the system would.
func (s script) bySystem(head []byte, path string) ([]string, error) {
	mount := paths.NoExec(s.path)
	switch {
	case mount == "":
		return []string{s.path}, nil
	case shebangOf(head) != "" && !isBinary(head):
		return s.byShebang(path)
	}
	return nil, entryProblem("entry-point", s.path, " cannot be executed, because the file system at %s is mounted noexec", shown.Path(mount))
}

// by returns the command line that runs s with the first installed interpreter.
func (s script) by(path string, interpreters []string, options ...string) ([]string, error) {
	program, err := findProgram(path, s.path, interpreters)
	return slices.Concat([]string{program}, options, []string{s.path}), err
}
