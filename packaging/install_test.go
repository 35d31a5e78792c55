// Package packaging has no code: its tests run what installs a release, with a server on loopback.
package packaging

import (
	"archive/tar"
	"archive/zip"
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
	"time"
)

// release is a server with the release v1.2.3, whose program prints its arguments.
type release struct {
	*httptest.Server
	files   map[string][]byte
	stalled chan struct{} // if not nil, an archive's body stops in the middle, after a value was sent
}

func newRelease(t *testing.T) *release {
	t.Helper()
	r := &release{files: map[string][]byte{}}
	archive, data := tarball(t, "agent-hooks", "#!/bin/sh\necho program $*\n"), "tar.gz"
	if runtime.GOOS == "windows" {
		archive, data = zipped(t, "agent-hooks.exe", "not a program"), "zip"
	}
	name := fmt.Sprintf("agent-hooks_1.2.3_%s_%s.%s", runtime.GOOS, runtime.GOARCH, data)
	sums := fmt.Sprintf("%x  %s\n", sha256.Sum256(archive), name)
	r.files["/download/v1.2.3/"+name] = archive
	r.files["/download/v1.2.3/checksums.txt"] = []byte(sums)
	r.files["/latest/download/checksums.txt"] = []byte(sums)
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, ok := r.files[q.URL.Path]
		if !ok {
			http.NotFound(w, q)
			return
		}
		if r.stalled != nil && strings.HasPrefix(filepath.Base(q.URL.Path), "agent-hooks_") {
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			w.Write(body[:len(body)/2])
			w.(http.Flusher).Flush()
			r.stalled <- struct{}{}
			<-q.Context().Done()
			return
		}
		w.Write(body)
	}))
	t.Cleanup(r.Close)
	return r
}

func tarball(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, n := range []string{"LICENSE", name} {
		if err := w.WriteHeader(&tar.Header{Name: n, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
	}
	if w.Close() != nil || z.Close() != nil {
		t.Fatal("cannot write an archive")
	}
	return b.Bytes()
}

func zipped(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	to, err := w.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(to, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// run runs an installer with a scratch home, and returns what it printed and its status.
func (r *release) run(t *testing.T, home string, args []string, environ ...string) (string, int) {
	t.Helper()
	cmd := r.command(t, home, args, environ...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	t.Logf("%s\n%s", strings.Join(args, " "), out)
	return string(out), cmd.ProcessState.ExitCode()
}

func (r *release) command(t *testing.T, home string, args []string, environ ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AGENT_HOOKS_") }),
		"HOME="+home, "LOCALAPPDATA="+home, "TMPDIR="+filepath.Join(home, "tmp"), "AGENT_HOOKS_DOWNLOADS="+r.URL)
	cmd.Env = append(cmd.Env, environ...)
	return cmd
}

func newHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".profile"), []byte("# mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return home
}

// tree returns all files below a home.
func tree(t *testing.T, home string) (files []string) {
	t.Helper()
	err := filepath.Walk(home, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			rel, _ := filepath.Rel(home, path)
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func checkTree(t *testing.T, home string, want ...string) {
	t.Helper()
	if got := tree(t, home); !slices.Equal(got, want) {
		t.Errorf("the home has %q, want %q", got, want)
	}
}

func TestInstall(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("install.ps1 is for Windows")
	}
	sh := []string{"sh", "install.sh"}
	const program = ".local/bin/agent-hooks"

	t.Run("twice", func(t *testing.T) {
		r, home := newRelease(t), newHome(t)
		for range 2 {
			out, status := r.run(t, home, sh)
			if status != 0 || !strings.Contains(out, "agent-hooks 1.2.3 is in "+home+"/.local/bin\nthat folder is not in your PATH") {
				t.Errorf("status %d", status)
			}
			checkTree(t, home, program, ".profile")
			if out, err := exec.Command(filepath.Join(home, program), "a").Output(); err != nil || string(out) != "program a\n" {
				t.Errorf("the program prints %q, %v", out, err)
			}
		}
		if out, _ := r.run(t, home, sh, "PATH="+home+"/.local/bin:"+os.Getenv("PATH")); strings.Contains(out, "PATH") {
			t.Error("it mentions PATH, which has the folder")
		}
	})
	t.Run("wget", func(t *testing.T) {
		if _, err := exec.LookPath("wget"); err != nil {
			t.Skip("wget is not installed")
		}
		r, home, bin := newRelease(t), newHome(t), t.TempDir()
		for _, tool := range []string{"sh", "uname", "tr", "mktemp", "rm", "cat", "grep", "cut", "sha256sum", "tar", "gzip", "chmod", "mkdir", "cp", "mv", "wget"} {
			path, err := exec.LookPath(tool)
			if err != nil {
				t.Skip(err)
			}
			if err := os.Symlink(path, filepath.Join(bin, tool)); err != nil {
				t.Fatal(err)
			}
		}
		if _, status := r.run(t, home, sh, "PATH="+bin); status != 0 {
			t.Errorf("status %d", status)
		}
		checkTree(t, home, program, ".profile")
		if _, status := r.run(t, home, sh, "PATH="+bin, "AGENT_HOOKS_VERSION=v9.9.9"); status != 3 {
			t.Errorf("status %d of a missing release", status)
		}
		if err := os.Remove(filepath.Join(bin, "wget")); err != nil {
			t.Fatal(err)
		}
		if out, status := r.run(t, home, sh, "PATH="+bin); status != 1 || !strings.Contains(out, "curl or wget") {
			t.Errorf("status %d without a tool", status)
		}
	})
	t.Run("wrong checksum", func(t *testing.T) {
		r, home := newRelease(t), newHome(t)
		for path := range r.files {
			if strings.HasSuffix(path, ".gz") {
				r.files[path] = tarball(t, "agent-hooks", "#!/bin/sh\necho somebody else's\n")
			}
		}
		out, status := r.run(t, home, sh)
		if status != 1 || !strings.Contains(out, "has another checksum than the release says; nothing was installed") {
			t.Errorf("status %d", status)
		}
		checkTree(t, home, ".profile")
	})
	t.Run("no such release", func(t *testing.T) {
		r, home := newRelease(t), newHome(t)
		if _, status := r.run(t, home, sh, "AGENT_HOOKS_VERSION=v9.9.9"); status != 3 {
			t.Errorf("status %d, want 3", status)
		}
		for path := range r.files {
			r.files[path] = []byte("0  other\n")
		}
		if _, status := r.run(t, home, sh); status != 1 {
			t.Errorf("status %d without a program for this system, want 1", status)
		}
		checkTree(t, home, ".profile")
	})
	t.Run("interrupted", func(t *testing.T) {
		r, home := newRelease(t), newHome(t)
		if _, status := r.run(t, home, sh); status != 0 {
			t.Fatalf("status %d", status)
		}
		r.stalled = make(chan struct{})
		cmd := r.command(t, home, sh)
		inGroup(cmd)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-r.stalled:
		case <-time.After(30 * time.Second):
			t.Error("it downloads nothing")
		}
		interruptGroup(cmd)
		if err := cmd.Wait(); err == nil {
			t.Error("it succeeds")
		}
		checkTree(t, home, program, ".profile")
	})
	t.Run("a part of the script", func(t *testing.T) {
		r, home := newRelease(t), newHome(t)
		script, err := os.ReadFile("install.sh")
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []int{len(script) / 2, len(script) - 80, strings.LastIndex(string(script), "main # ")} {
			cmd := r.command(t, home, []string{"sh"})
			cmd.Stdin = bytes.NewReader(script[:part])
			cmd.Run()
			checkTree(t, home, ".profile")
		}
		cmd := r.command(t, home, []string{"sh"})
		cmd.Stdin = bytes.NewReader(script)
		if err := cmd.Run(); err != nil {
			t.Error(err)
		}
		checkTree(t, home, program, ".profile")
	})
}

func TestInstallWindows(t *testing.T) {
	if runtime.GOOS != "windows" {
		t.Skip("install.ps1 is for Windows")
	}
	for _, shell := range []string{"pwsh", "powershell"} {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip(err)
			}
			args := []string{shell, "-NoProfile", "-ExecutionPolicy", "Bypass", "-File", "install.ps1"}
			r, home := newRelease(t), newHome(t)
			for range 2 {
				if _, status := r.run(t, home, args); status != 0 {
					t.Errorf("status %d", status)
				}
				checkTree(t, home, ".profile", "Programs/agent-hooks/agent-hooks.exe")
			}
			for path := range r.files {
				if strings.HasSuffix(path, ".zip") {
					r.files[path] = zipped(t, "agent-hooks.exe", "somebody else's")
				}
			}
			other := newHome(t)
			if out, status := r.run(t, other, args); status == 0 || !strings.Contains(out, "another checksum") {
				t.Errorf("status %d with a wrong checksum", status)
			}
			checkTree(t, other, ".profile")
		})
	}
}
