package agenthooks_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// TestAction runs the shell steps of action.yml as GitHub does: on a project whose hook passes its
// test, and after a mistake in it; first as a branch, which has no release, then as a tag.
func TestAction(t *testing.T) {
	testenv.Long(t)
	if runtime.GOOS == "windows" {
		t.Skip("the steps need bash and the programs of a hosted runner")
	}
	var action struct {
		Runs struct {
			Steps []struct {
				Name, Run, Shell, If string
				Env                  map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	temp, project := filepath.Join(dir, "temp"), filepath.Join(dir, "workspace", "some project")
	write(t, filepath.Join(project, ".agents/hooks/no-publish/HOOK.md"), "---\nname: no-publish\ndescription: Publishing is for people.\ntrigger: pre-tool-call\nmatcher:\n  pattern: npm publish\n---\n")
	write(t, filepath.Join(project, ".agents/hooks/no-publish/scripts/run"), "#!/bin/sh\necho no >&2\nexit 2\n")
	write(t, filepath.Join(project, ".agents/hooks/no-publish/tests/fires.yaml"), "event:\n  event_type: pre-tool-call\n  tool_name: Bash\n  tool_input:\n    command: npm publish\nexpect:\n  decision: deny\n")
	if err := os.Chmod(filepath.Join(project, ".agents/hooks/no-publish/scripts/run"), 0o755); err != nil {
		t.Fatal(err)
	}
	tag, downloads, base := "main", "http://127.0.0.1:1", "HEAD"
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "base"}} {
		cmd := exec.Command("git", args...)
		if cmd.Dir = project; cmd.Run() != nil {
			t.Fatalf("git %s: failed", args)
		}
	}
	outputs := filepath.Join(dir, "output")
	// steps runs the named steps, and returns the status of each.
	steps := func() (statuses []int) {
		write(t, outputs, "")
		inputs := strings.NewReplacer("${{ inputs.project }}", project, "${{ inputs.junit }}", "out.xml", "${{ inputs.base }}", base, "${{ github.event.repository.default_branch }}", "trunk", "${{ inputs.version || github.action_ref }}", tag)
		for _, s := range action.Runs.Steps {
			failed := slices.ContainsFunc(statuses, func(s int) bool { return s != 0 })
			if s.Run == "" || failed && !strings.Contains(s.If, "cancelled()") || s.If == "steps.download.outputs.compile" && !strings.Contains(read(t, outputs), "compile=yes\n") {
				continue
			}
			cmd := exec.Command(s.Shell, "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
			cmd.Dir = filepath.Join(dir, "workspace")
			cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
				return strings.HasPrefix(v, "XDG_") || strings.HasPrefix(v, "PATH=")
			}), "PATH="+filepath.Join(temp, "agent-hooks")+":"+os.Getenv("PATH"), "RUNNER_TEMP="+temp, "GITHUB_ACTION_PATH="+root, "GITHUB_WORKSPACE="+cmd.Dir,
				"GITHUB_PATH="+filepath.Join(dir, "path"), "GITHUB_OUTPUT="+outputs, "AGENT_HOOKS_DOWNLOADS="+downloads, "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
			for name, value := range s.Env {
				cmd.Env = append(cmd.Env, name+"="+inputs.Replace(value))
			}
			out, err := cmd.CombinedOutput()
			t.Logf("%s: %v\n%s", s.Name, err, out)
			statuses = append(statuses, cmd.ProcessState.ExitCode())
		}
		return statuses
	}
	if got, want := steps(), []int{0, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Fatalf("the steps download, compile, validate, check and test exit with %v, want %v", got, want)
	}
	junit := filepath.Join(dir, "workspace", "out.xml")
	if text := read(t, junit); !strings.Contains(text, `tests="1" failures="0"`) {
		t.Errorf("the JUnit file is\n%s", text)
	}
	if got, want := read(t, outputs), "compile=yes\njunit="+junit+"\n"; got != want {
		t.Errorf("the outputs are %q, want %q", got, want)
	}
	if got, want := read(t, filepath.Join(dir, "path")), filepath.Join(temp, "agent-hooks")+"\n"; got != want {
		t.Errorf("the folders for PATH are %q, want %q", got, want)
	}

	write(t, filepath.Join(project, ".agents/hooks/no-publish/scripts/run"), "#!/bin/sh\nexit 0\n")
	write(t, filepath.Join(project, ".agents/hooks.toml"), "[hooks]\nenabeld = false\n")
	if got, want := steps(), []int{0, 0, 1, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("after mistakes, the steps exit with %v, want %v", got, want)
	}
	if text := read(t, junit); !strings.Contains(text, `failures="1"`) {
		t.Errorf("after a mistake, the JUnit file is\n%s", text)
	}

	if err := os.RemoveAll(filepath.Join(project, ".agents")); err != nil {
		t.Fatal(err)
	}
	if got := steps(); got[3] != 1 {
		t.Errorf("without .agents, the steps exit with %v, want 1 of check", got)
	}
	// Without a commit before, the one where the branch left the default branch counts.
	base = strings.Repeat("0", 40)
	if got := steps(); got[3] != 1 {
		t.Errorf("without a base, the steps exit with %v, want 1 of check", got)
	}
	cmd := exec.Command("git", "update-ref", "refs/remotes/origin/trunk", "HEAD")
	if cmd.Dir = project; cmd.Run() != nil {
		t.Fatal("git update-ref: failed")
	}
	if got := steps(); got[3] != 1 {
		t.Errorf("without .agents and a base, the steps exit with %v, want 1 of check", got)
	}
	cmd = exec.Command("git", "checkout", "-q", ".agents/hooks")
	if cmd.Dir = project; cmd.Run() != nil {
		t.Fatal("git checkout: failed")
	}
	if got := steps(); got[3] != 0 {
		t.Errorf("with the hooks of the default branch, the steps exit with %v, want 0 of check", got)
	}
	if err := os.RemoveAll(filepath.Join(project, ".agents")); err != nil {
		t.Fatal(err)
	}

	program, err := os.ReadFile(filepath.Join(temp, "agent-hooks", "agent-hooks"))
	if err != nil {
		t.Fatal(err)
	}
	server, sums := released(t, program)
	tag, downloads = "v1.2.3", server
	if err := os.RemoveAll(filepath.Join(temp, "agent-hooks")); err != nil {
		t.Fatal(err)
	}
	if got, want := steps(), []int{0, 0, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("with a release, the steps download, validate, check and test exit with %v, want %v", got, want)
	}
	*sums = strings.Repeat("0", 64) + (*sums)[64:]
	if got := steps(); got[0] != 1 || len(got) != 3 {
		t.Errorf("with a wrong checksum, the steps exit with %v, want 1 of download, and neither compile nor validate", got)
	}
	tag = "v9.9.9"
	if got := steps(); got[0] != 0 || len(got) != 5 {
		t.Errorf("without a release of the tag, the steps exit with %v, want a compile", got)
	}
}

// released serves a program as the release v1.2.3, and returns the URL and the checksums.
func released(t *testing.T, program []byte) (url string, sums *string) {
	t.Helper()
	var archive bytes.Buffer
	z := gzip.NewWriter(&archive)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "agent-hooks", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(program); err != nil || w.Close() != nil || z.Close() != nil {
		t.Fatal("cannot write an archive")
	}
	name := fmt.Sprintf("agent-hooks_1.2.3_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	text := fmt.Sprintf("%x  %s\n", sha256.Sum256(archive.Bytes()), name)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/download/v1.2.3/checksums.txt":
			io.WriteString(w, text)
		case "/download/v1.2.3/" + name:
			w.Write(archive.Bytes())
		default:
			http.NotFound(w, q)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, &text
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
