package resident

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/spec"
)

// origin identifies what a process was started from: a command, and the files
// that the hook's folder contained. Files created later, such as a log, are
// ignored. A folder with too many files to compare has no origin, so that a
// process of it is used only once and is never outdated.
type origin struct {
	key     id
	dir     string
	command string
	program string // what hooks of the same program have in common
	files   []state.Stamped
	all     bool // files are all files of the folder
	taken   time.Time
	digest  [sha256.Size]byte
}

func originOf(h *Hook) *origin {
	s := &origin{key: idOf(h), dir: h.Folder, command: commandOf(&h.Command), program: programOf(h), taken: time.Now()}
	paths, all := filesOf(h.Folder)
	s.all = all
	if !all {
		return s
	}
	for _, path := range paths {
		s.files = append(s.files, state.StampFile(path))
	}
	s.digest, _ = s.read(false)
	return s
}

func commandOf(c *exec.Command) string {
	parts := slices.Concat([]string{c.Path, c.Dir}, c.Args, []string{""}, c.Env)
	return strings.Join(parts, "\x00")
}

// programOf describes a command without what identifies its hook.
func programOf(h *Hook) string {
	c := h.Command
	relative := func(path string) string {
		rest, _ := strings.CutPrefix(path, h.Folder+string(filepath.Separator))
		return rest
	}
	c.Path, c.Args, c.Env = relative(c.Path), slices.Clone(c.Args), nil
	for i, arg := range c.Args {
		c.Args[i] = relative(arg)
	}
	for _, v := range h.Command.Env {
		switch name, _, _ := strings.Cut(v, "="); name {
		case "AGENT_HOOKS_HOOK", "AGENT_HOOKS_HOOK_DIR", "AGENT_HOOKS_EVENT":
		default:
			c.Env = append(c.Env, v)
		}
	}
	return strings.Join([]string{h.Kind, commandOf(&c)}, "\x00")
}

// shares reports whether two hooks run the same program: the same command, with
// files of the same names and contents besides HOOK.md and the tests.
func (s *origin) shares(other *origin) bool {
	if !s.all || !other.all || s.program != other.program {
		return false
	}
	one, whole := s.read(true)
	another, wholeToo := other.read(true)
	return whole && wholeToo && one == another
}

// testsFolder is the folder of a hook's test cases, which are not part of it.
const testsFolder = "tests"

// filesOf returns the regular files of a hook's folder and of the directories to
// which links in it lead, except Python's caches. all is false if there are more
// than maxFiles.
func filesOf(dir string) (files []string, all bool) {
	seen := map[string]bool{}
	dirs := []string{dir}
	for len(dirs) > 0 {
		dir, dirs = dirs[0], dirs[1:]
		real, err := paths.Real(dir)
		if err != nil || seen[real] {
			continue
		}
		seen[real] = true
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			path, mode := filepath.Join(dir, e.Name()), e.Type()
			if mode&os.ModeSymlink != 0 {
				if info, err := os.Stat(path); err == nil {
					mode = info.Mode()
				}
			}
			switch {
			case mode.IsDir() && e.Name() != "__pycache__":
				dirs = append(dirs, path)
			case mode.IsRegular():
				files = append(files, path)
			}
		}
		if len(files)+len(dirs) > maxFiles {
			return nil, false
		}
	}
	return files, true
}

const maxFiles = 4096 // files of a hook's folder that are compared

// maxDigested is the number of bytes of the files that are compared by content.
const maxDigested = 16 << 20

// read returns a digest of the files' names and contents. With program, HOOK.md and
// the tests do not count. whole is false if they cannot all be compared by content.
func (s *origin) read(program bool) (sum [sha256.Size]byte, whole bool) {
	h, room := sha256.New(), int64(maxDigested)
	whole = true
	for _, f := range s.files {
		name, _ := filepath.Rel(s.dir, f.Path)
		if first, _, _ := strings.Cut(filepath.ToSlash(name), "/"); program && (first == spec.HookFile || first == testsFolder) {
			continue
		}
		fmt.Fprintf(h, "%q", name)
		info, err := os.Stat(f.Path)
		switch {
		case err != nil || !info.Mode().IsRegular():
			whole = false
		case info.Size() > room:
			whole = false
			fmt.Fprint(h, info.Size(), info.ModTime().UnixNano())
		default:
			room -= info.Size()
			text, _ := os.ReadFile(f.Path)
			one := sha256.Sum256(text)
			h.Write(one[:])
		}
	}
	h.Sum(sum[:0])
	return sum, whole
}

// same reports whether the files have not changed.
func (s *origin) same() bool {
	if !s.all {
		return false
	}
	same, now := true, time.Now()
	for _, f := range s.files {
		same = same && !f.Changed() && f.Stamp.Settled(s.taken)
	}
	if same {
		return true
	}
	if digest, _ := s.read(false); digest != s.digest {
		return false
	}
	for i, f := range s.files {
		s.files[i] = state.StampFile(f.Path)
	}
	s.taken = now
	return true
}
