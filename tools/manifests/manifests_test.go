package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// released makes a clone in which goreleaser has run, with small files, and returns what write makes of it.
func released(t *testing.T) (files map[string]string) {
	t.Helper()
	source, out := t.TempDir(), t.TempDir()
	put := func(name, text string) {
		path := filepath.Join(source, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var artifacts []map[string]string
	for _, system := range []string{"darwin", "freebsd", "linux", "windows"} {
		for _, machine := range []string{"amd64", "arm64"} {
			name, program := fmt.Sprintf("agent-hooks_1.2.3_%s_%s", system, machine), "agent-hooks"
			if system == "windows" {
				name, program = name+".zip", "agent-hooks.exe"
			} else {
				name += ".tar.gz"
			}
			path := "dist/" + system + "_" + machine + "/" + program
			put("dist/"+name, "archive "+name)
			put(path, "program "+name)
			artifacts = append(artifacts, map[string]string{"name": name, "path": "dist/" + name, "type": "Archive", "goos": system, "goarch": machine},
				map[string]string{"name": program, "path": path, "type": "Binary", "goos": system, "goarch": machine})
		}
	}
	list, err := json.Marshal(artifacts)
	if err != nil {
		t.Fatal(err)
	}
	put("dist/artifacts.json", string(list))
	put("dist/metadata.json", `{"version": "1.2.3"}`)
	put("LICENSE", "license")
	put("generated/LICENSES", "licenses")
	if err := os.CopyFS(filepath.Join(source, "packaging"), os.DirFS("../../packaging")); err != nil {
		t.Fatal(err)
	}
	if err := write(source, out, time.Unix(1_700_000_000, 0).UTC()); err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	err = filepath.Walk(out, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(out, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// TestManifests checks that each file has the checksums and addresses of its systems, parses, and is the
// same when it is made again.
func TestManifests(t *testing.T) {
	files := released(t)
	again := released(t)
	for path, text := range files {
		if again[path] != text {
			t.Errorf("%s differs when it is made again", path)
		}
	}
	unix := []string{"darwin_amd64.tar.gz", "darwin_arm64.tar.gz", "linux_amd64.tar.gz", "linux_arm64.tar.gz"}
	windows := []string{"windows_amd64.zip", "windows_arm64.zip"}
	for path, of := range map[string][]string{
		"homebrew/agent-hooks.rb": unix, "nix/flake.nix": unix, "mise/mise.toml": slices.Concat(unix, windows), "scoop/agent-hooks.json": windows,
		"winget/agent-hooks.agent-hooks.installer.yaml": windows, "install.sh": slices.Concat(unix, windows), "install.ps1": windows, "table.json": slices.Concat(unix, windows),
	} {
		text := strings.ToLower(files[path])
		for _, name := range of {
			name = "agent-hooks_1.2.3_" + name
			at, checksum := strings.Index(text, "/download/v1.2.3/"+name), strings.Index(text, sum("archive "+name))
			if strings.HasPrefix(path, "install.") {
				at = strings.Index(text, sum("archive "+name)+"  "+name)
			}
			if at < 0 || checksum < 0 {
				t.Errorf("%s lacks %s or its checksum", path, name)
			}
		}
	}
	for path, text := range files {
		var value any
		switch filepath.Ext(path) {
		case ".json":
			if err := json.Unmarshal([]byte(text), &value); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		case ".yaml":
			if err := yaml.Unmarshal([]byte(text), &value); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		case ".sh":
			if sh, err := exec.LookPath("sh"); err == nil {
				cmd := exec.Command(sh, "-n")
				cmd.Stdin = strings.NewReader(text)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", path, err, out)
				}
			}
		case ".rb":
			if ruby, err := exec.LookPath("ruby"); err == nil {
				cmd := exec.Command(ruby, "-c")
				cmd.Stdin = strings.NewReader(text)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", path, err, out)
				}
			}
		}
		if strings.Contains(text, "<<") && filepath.Ext(path) != ".whl" && !strings.Contains(text, "<<~EOS") && filepath.Ext(path) != ".tgz" {
			t.Errorf("%s still has << in it", path)
		}
	}
	if files["devcontainer/agent-hooks/download.sh"] != files["install.sh"] {
		t.Error("the feature has another installer")
	}
	z, err := gzip.NewReader(strings.NewReader(files["devcontainer/devcontainer-feature-agent-hooks.tgz"]))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
	}
	if want := []string{"devcontainer-feature.json", "install.sh", "download.sh"}; !slices.Equal(names, want) {
		t.Errorf("the feature has %q, want %q", names, want)
	}
}

// TestWheel checks a wheel as an installer does: every file is in RECORD, with its checksum.
func TestWheel(t *testing.T) {
	files := released(t)
	wheels := 0
	for path, text := range files {
		if filepath.Ext(path) != ".whl" {
			continue
		}
		wheels++
		r, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		content := map[string][]byte{}
		for _, f := range r.File {
			o, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if content[f.Name], err = io.ReadAll(o); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(f.Name, ".data/scripts/") && f.Mode().Perm() != 0o755 {
				t.Errorf("%s: %s has the mode %v", path, f.Name, f.Mode())
			}
		}
		record := string(content["agent_hooks_cli-1.2.3.dist-info/RECORD"])
		for name, data := range content {
			sum := sha256.Sum256(data)
			line := fmt.Sprintf("%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
			if !strings.Contains(record, line) && !strings.HasSuffix(name, "/RECORD") {
				t.Errorf("%s: RECORD lacks %s", path, line)
			}
		}
		tags := bytes.Count(content["agent_hooks_cli-1.2.3.dist-info/WHEEL"], []byte("Tag: py3-none-"))
		if tags != strings.Count(strings.Split(filepath.Base(path), "-")[4], ".") {
			t.Errorf("%s: %d tags", path, tags)
		}
	}
	if wheels != 6 {
		t.Errorf("%d wheels, want 6", wheels)
	}
}

func TestPythonVersion(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3rc1", "1.0.0-beta.12": "1.0.0b12", "1.0.0-alpha2": "1.0.0a2",
		"0.0.1-snapshot.1795904726": "0.0.1.dev1795904726", "1.0.0-next": "1.0.0.dev",
	} {
		if got := pythonVersion(version); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}
