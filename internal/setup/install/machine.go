package install

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// machine returns what an agent's own checks may use. dir is the folder in which
// they start the agent.
func (t Target) machine(ctx context.Context, dir string) *agent.Machine {
	return &agent.Machine{
		Title: t.Title, Program: t.Program, Project: t.Project, GOOS: t.GOOS, Dir: dir,
		Replaced: func(home string) bool { return t.replaced(home) != "" },
		Read:     t.read, Decoded: t.decoded, Real: realPath, Newest: t.newest, Below: t.below,
		Talk: func(args []string, stdin string, each func([]byte) bool) error {
			return talk(ctx, dir, append([]string{t.Program}, args...), stdin, each)
		},
	}
}

func (s System) read(path, home string) []byte {
	f, err := s.readFile(s.Expand(path, home))
	if err != nil || !f.exists {
		return nil
	}
	return notNil(f.text)
}

// decoded returns the content of a settings file: an empty object if it cannot be
// decoded, nil if there is no file.
func (s System) decoded(path, home string) any {
	text := s.read(path, home)
	if text == nil {
		return nil
	}
	decoded, err := s.parsed.Decode(settings.FormatOf(path), text)
	if err != nil || decoded == nil {
		return map[string]any{}
	}
	return decoded
}

func realPath(path string) string {
	if real, err := paths.Real(path); err == nil {
		return real
	}
	return path
}

func (t Target) newest(path, home string) string {
	versions, _ := filepath.Glob(filepath.Join(t.Expand(path, home), "*"))
	if len(versions) == 0 {
		return ""
	}
	return slices.MaxFunc(versions, func(a, b string) int {
		return slices.Compare(versionNumbers(filepath.Base(a)), versionNumbers(filepath.Base(b)))
	})
}

func (t Target) below(path, home, name string) []string {
	const maxDepth = 8
	var found []string
	root, suffix := t.Expand(path, home), "/"+name
	if strings.HasPrefix(name, ".") {
		suffix = name
	}
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || strings.Count(path[len(root):], string(filepath.Separator)) > maxDepth):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(filepath.ToSlash(path), suffix):
			found = append(found, path)
		}
		return nil
	})
	return found
}

// talk starts a program, writes a text to its stdin and passes it the lines of its
// stdout. It ends the conversation when each returns false.
func talk(ctx context.Context, dir string, words []string, text string, each func([]byte) bool) error {
	cmd := osexec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_, failure := stdin.Write([]byte(text))
	if text == "" {
		stdin.Close()
	}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<24)
	for failure == nil && lines.Scan() {
		if !each(lines.Bytes()) {
			stdin.Close()
			_ = cmd.Wait() // its answer is complete
			return nil
		}
	}
	stdin.Close()
	return errors.Join(failure, lines.Err(), cmd.Wait())
}

// ownChecks returns the findings of the agent's own checks.
func (t Target) ownChecks(entries []Entry) []Finding {
	if t.Trust == nil {
		return nil
	}
	return t.Trust(t.machine(context.Background(), t.Project), entries)
}
