package pack

import (
	"bytes"
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

const hookText = "---\nname: guard\ndescription: d\ntrigger: pre-tool-call\nmetadata: {answer: {decision: deny}}\n---\n"

// upstream is a repository in a test, whose objects are written without a work tree.
type upstream struct {
	t    *testing.T
	dir  string // bare
	temp string // of its Git
	env  []string

	blobs map[string]string // identifiers by content
}

// newUpstream creates a repository. It skips the test without git.
func newUpstream(t *testing.T) *upstream {
	t.Helper()
	if _, err := osexec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	base := t.TempDir()
	u := &upstream{t: t, dir: filepath.Join(base, "up.git"), temp: t.TempDir(), blobs: map[string]string{}, env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + base, "TMPDIR=" + base, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b",
	}}
	u.git("", "init", "--quiet", "--bare", "--initial-branch=main", u.dir)
	return u
}

func (u *upstream) git(input string, args ...string) string {
	u.t.Helper()
	cmd := osexec.Command("git", append([]string{"-c", "core.protectNTFS=false", "-c", "core.protectHFS=false", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Env, cmd.Dir, cmd.Stdin = u.env, filepath.Dir(u.dir), strings.NewReader(input)
	if _, err := os.Stat(u.dir); err == nil {
		cmd.Dir = u.dir
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		u.t.Fatalf("git %q: %v\n%s", args, err, &stderr)
	}
	return strings.TrimSpace(string(out))
}

// tree writes a tree from lines "MODE PATH=CONTENT"; a mode is 644, 755, link, module or dir, of
// which the last has the identifier of a tree as its content. Nothing is checked.
func (u *upstream) tree(lines ...string) string {
	u.t.Helper()
	below := map[string][]string{}
	var raw bytes.Buffer
	var names []string
	entries := map[string]string{}
	add := func(mode, name, id string) {
		names = append(names, name)
		entries[name] += fmt.Sprintf("%s %s\x00%s", mode, name, unhex(id))
	}
	for _, line := range lines {
		mode, rest, _ := strings.Cut(line, " ")
		at, content, _ := strings.Cut(rest, "=")
		if first, more, deeper := strings.Cut(at, "/"); deeper {
			below[first] = append(below[first], mode+" "+more+"="+content)
			continue
		}
		switch mode {
		case "module":
			add("160000", at, strings.Repeat("1", 40))
		case "dir":
			add("40000", at, content)
		case "link":
			add("120000", at, u.blob(content))
		default:
			add("100"+mode, at, u.blob(content))
		}
	}
	for name, inside := range below {
		add("40000", name, u.tree(inside...))
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		raw.WriteString(entries[name])
	}
	return u.git(raw.String(), "hash-object", "-w", "-t", "tree", "--literally", "--stdin")
}

func (u *upstream) blob(content string) string {
	if u.blobs[content] == "" {
		u.blobs[content] = u.git(content, "hash-object", "-w", "--stdin")
	}
	return u.blobs[content]
}

func unhex(id string) string {
	var b []byte
	_, _ = fmt.Sscanf(id, "%x", &b)
	return string(b)
}

// commit makes a commit of a tree the head of a branch.
func (u *upstream) commit(branch string, lines ...string) string {
	u.t.Helper()
	id := u.git("", "commit-tree", "-m", "x", u.tree(lines...))
	u.git("", "update-ref", "refs/heads/"+branch, id)
	return id
}

func (u *upstream) source() Source {
	return Source{Text: "file:///" + strings.TrimPrefix(filepath.ToSlash(u.dir), "/"), Git: true}
}

// gitFor returns a Git with the environment of a user with a home of his own.
func (u *upstream) gitFor() Git {
	program, err := osexec.LookPath("git")
	if err != nil {
		u.t.Fatal(err)
	}
	return Git{Program: program, Environ: u.env, Timeout: time.Minute, Max: MaxFetched, Temp: u.temp}
}

// open opens the pack on the branch main.
func (u *upstream) open(ref string) (*Pack, error) {
	return Open(context.Background(), u.gitFor(), u.source(), ref, "")
}

// nothingLeft checks that no temporary directory is left.
func (u *upstream) nothingLeft() {
	u.t.Helper()
	left, _ := filepath.Glob(filepath.Join(u.temp, "*"))
	for _, dir := range left {
		u.t.Errorf("%s is left", dir)
	}
}

func put(t *testing.T, root string, files ...string) {
	t.Helper()
	for _, file := range files {
		if err := testtree.Plant(root, file); err != nil {
			t.Fatal(err)
		}
	}
}
