package install

import (
	"bytes"
	"cmp"
	"context"

	"errors"
	"fmt"

	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Chosen is the program that entries call.
type Chosen struct {
	Path string // absolute
	From string // the program that must be copied to Path first; "" if Path stays
}

// nodeModules returns the outermost folder node_modules around a program; "" if there is none.
func nodeModules(path string) string {
	if real, err := paths.Real(path); err == nil {
		path = real
	}
	const name = "/node_modules/"
	if i := strings.Index(filepath.ToSlash(path), name); i >= 0 {
		return path[:i+len(name)-1]
	}
	return ""
}

func inNodeModules(path string) bool { return nodeModules(path) != "" }

// stays reports whether a program in node_modules is one that the user installed for good, with
// npm install -g: agent-hooks on PATH belongs to the same node_modules, and is outside of it. A
// folder of a project, of npx or of another package manager has a package.json, may be removed
// with its next command, and a project's could be replaced by whoever can change the project.
func (s System) stays(program string) bool {
	modules := nodeModules(program)
	if _, err := os.Lstat(filepath.Join(filepath.Dir(modules), "package.json")); err == nil || temporary(program, s) {
		return false
	}
	link, err := s.LookPath("agent-hooks")
	if err != nil || !filepath.IsAbs(link) || forOneCommand(link) {
		return false
	}
	beside := s.GOOS == "windows" && sameFile(filepath.Dir(link), filepath.Dir(modules)) // npm's .cmd file
	return beside || nodeModules(link) == modules
}

// isScript reports whether a file on PATH starts another program, as npm's does: entries must not.
func isScript(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".cmd", ".bat", ".ps1":
		return true
	}
	start, _, err := paths.Read(path, 1)
	return err == nil && string(start) == "#!"
}

// copyPath returns the path of the copy; "" if there is no data directory.
func (s System) copyPath() string {
	if s.DataDir == "" {
		return ""
	}
	name := "agent-hooks"
	if s.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(s.DataDir, "bin", name)
}

// scratchName begins the names of the directories in which copies are made.
const scratchName = ".new-"

// Copy copies the program, if it must be copied and its copy differs. The old copy is replaced in
// one step, after the new one has been read again and has been run.
func (c Chosen) Copy(ctx context.Context, s System) (copied bool, err error) {
	if c.From == "" {
		return false, nil
	}
	if info, err := os.Lstat(c.Path); err == nil && info.Mode().IsRegular() && executableFile(c.Path, info) == nil &&
		!sameFile(c.From, c.Path) && sameContent(c.From, c.Path) { // a link to the program would be removed, or changed, with it
		return false, nil
	}
	program, err := os.ReadFile(c.From)
	if err != nil {
		return false, err
	}
	dir := filepath.Dir(c.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false, err
	}
	scratch, err := os.MkdirTemp(dir, scratchName)
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	fresh := filepath.Join(scratch, filepath.Base(c.Path))
	if err := state.Write(fresh, program, 0o755); err != nil {
		return false, err
	}
	if written, err := os.ReadFile(fresh); err != nil || !bytes.Equal(written, program) {
		return false, cmp.Or(err, fmt.Errorf("%s: what was written differs from what was read back", fresh))
	}
	if s.VersionOf(ctx, fresh) == "" {
		return false, fmt.Errorf("a copy of %s does not run in %s; is that file system mounted noexec?", c.From, dir)
	}
	return true, replaceProgram(fresh, c.Path)
}

// sameContent compares two programs.
func sameContent(a, b string) bool {
	if sameFile(a, b) {
		return true
	}
	first, err := os.ReadFile(a)
	if err != nil {
		return false
	}
	second, err := os.ReadFile(b)
	return err == nil && bytes.Equal(first, second)
}

// replaceProgram renames a program over an older one. Windows renames, but does not replace, a
// running program.
func replaceProgram(fresh, path string) error {
	err := os.Rename(fresh, path)
	if err == nil || !errors.Is(err, fs.ErrPermission) {
		return err
	}
	old := path + ".old"
	_ = os.Remove(old) // of the last time
	if os.Rename(path, old) != nil {
		return err
	}
	if err := os.Rename(fresh, path); err != nil {
		return errors.Join(err, os.Rename(old, path))
	}
	_ = os.Remove(old)
	return nil
}

// RemoveCopy removes the copy of the program, if there is one that no entry calls. It returns its
// path, "" if it removes none.
func (s System) RemoveCopy(dryRun bool) (path string, err error) {
	path = s.copyPath()
	if path == "" {
		return "", nil
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || s.calls(path) || dryRun {
		return "", nil
	}
	if err := os.Remove(path); err != nil {
		return "", err
	}
	_ = os.Remove(path + ".old")
	rest, _ := os.ReadDir(filepath.Dir(path))
	for _, d := range rest {
		if strings.HasPrefix(d.Name(), scratchName) { // of an install that was killed
			_ = os.RemoveAll(filepath.Join(filepath.Dir(path), d.Name()))
		}
	}
	_ = state.RemoveEmpty(filepath.Dir(path))
	_ = state.RemoveEmpty(s.DataDir)
	return path, nil
}

// calls reports whether an entry calls a program: one that is found now, or one in another file that
// install wrote, such as that of another CODEX_HOME.
func (s System) calls(program string) bool {
	for _, c := range All() {
		for _, e := range s.Target(c).AllInstalled() {
			if slices.Contains(e.Words, program) || sameFile(e.Words[0], program) {
				return true
			}
		}
	}
	record, err := ReadRecord(s.StateDir)
	if err != nil {
		return true
	}
	for path := range record.Files {
		text, err := os.ReadFile(path)
		if err == nil && (bytes.Contains(text, []byte(program)) || bytes.Contains(text, []byte(strings.Trim(jsText(program), `"`)))) {
			return true
		}
	}
	return false
}
