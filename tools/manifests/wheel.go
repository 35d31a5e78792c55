package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The name agent-hooks belongs to somebody else on PyPI.
const (
	wheelName   = "agent-hooks-cli"
	wheelModule = "agent_hooks_cli"
)

// wheelTags are the platforms of wheels by those of Go. The programs are static, so they run with
// every libc; macOS 12 is Go's oldest.
var wheelTags = map[string]string{
	"linux/amd64":   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux/arm64":   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	"darwin/amd64":  "macosx_12_0_x86_64",
	"darwin/arm64":  "macosx_12_0_arm64",
	"windows/amd64": "win_amd64",
	"windows/arm64": "win_arm64",
}

// launcher runs the program under the name of the package, as uvx does. The program itself is installed
// too: agents must not wait for Python.
const launcher = `"""Runs the program agent-hooks that this package installs."""

import os
import subprocess
import sys
import sysconfig


def main():
    program = os.path.join(sysconfig.get_path("scripts"), "agent-hooks" + (".exe" if os.name == "nt" else ""))
    if os.name == "nt":
        sys.exit(subprocess.call([program, *sys.argv[1:]]))
    os.execv(program, [program, *sys.argv[1:]])
`

// wheels returns a wheel for each platform that PyPI knows.
func (t *table) wheels(source string) (files []file, err error) {
	for _, p := range t.programs {
		tag := wheelTags[p.OS+"/"+p.Machine]
		if tag == "" {
			continue
		}
		data, err := t.wheel(source, p, tag)
		if err != nil {
			return nil, err
		}
		files = append(files, file{fmt.Sprintf("wheels/%s-%s-py3-none-%s.whl", wheelModule, pythonVersion(t.Version), tag), data, 0o644})
	}
	return files, nil
}

func (t *table) wheel(source string, p artifact, tag string) ([]byte, error) {
	program, err := os.ReadFile(filepath.Join(source, p.Path))
	if err != nil {
		return nil, err
	}
	license, err := os.ReadFile(filepath.Join(source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	licenses, err := os.ReadFile(filepath.Join(source, "generated/LICENSES"))
	if err != nil {
		return nil, err
	}
	version := pythonVersion(t.Version)
	stem := wheelModule + "-" + version
	name := "agent-hooks"
	if p.OS == "windows" {
		name += ".exe"
	}
	var tags strings.Builder
	for _, one := range strings.Split(tag, ".") {
		fmt.Fprintf(&tags, "Tag: py3-none-%s\n", one)
	}
	files := []file{
		{wheelModule + "/__init__.py", []byte(launcher), 0o644},
		{wheelModule + "/__main__.py", []byte("from " + wheelModule + " import main\n\nmain()\n"), 0o644},
		{stem + ".data/scripts/" + name, program, 0o755},
		{stem + ".dist-info/METADATA", []byte("Metadata-Version: 2.1\nName: " + wheelName + "\nVersion: " + version + "\n" + metadata), 0o644},
		{stem + ".dist-info/WHEEL", []byte("Wheel-Version: 1.0\nGenerator: agent-hooks\nRoot-Is-Purelib: false\n" + tags.String()), 0o644},
		{stem + ".dist-info/entry_points.txt", []byte("[console_scripts]\n" + wheelName + " = " + wheelModule + ":main\n"), 0o644},
		{stem + ".dist-info/licenses/LICENSE", license, 0o644},
		{stem + ".dist-info/licenses/LICENSES", licenses, 0o644},
	}
	var record strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.path, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	own := stem + ".dist-info/RECORD"
	files = append(files, file{own, []byte(record.String() + own + ",,\n"), 0o644})

	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: t.at}
		header.SetMode(f.mode)
		to, err := w.CreateHeader(header)
		if err == nil {
			_, err = to.Write(f.data)
		}
		if err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return b.Bytes(), err
}

const metadata = `Summary: Runs hooks for any coding agent
Project-URL: Homepage, https://github.com/agent-hooks/agent-hooks
License: Apache-2.0
Requires-Python: >=3.8
Description-Content-Type: text/markdown

Write a hook once, as a folder with a HOOK.md and a script, and run it in every coding agent.

    uv tool install agent-hooks-cli
    agent-hooks setup

The package contains the program itself, for one platform; it downloads nothing. Agents call the program, not
Python. To remove it: ` + "`agent-hooks uninstall --all`" + `, and then ` + "`uv tool uninstall agent-hooks-cli`" + `.

The documentation is at https://github.com/agent-hooks/agent-hooks.
`

var preRelease = regexp.MustCompile(`^(\d+\.\d+\.\d+)-(alpha|beta|rc)\.?(\d+)$`)
var otherRelease = regexp.MustCompile(`^(\d+\.\d+\.\d+)-.*?(\d*)$`)

// pythonVersion returns a version in Python's form: 1.2.0-rc.1 is 1.2.0rc1, and a snapshot a
// development release.
func pythonVersion(version string) string {
	if m := preRelease.FindStringSubmatch(version); m != nil {
		return m[1] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[m[2]] + m[3]
	}
	if m := otherRelease.FindStringSubmatch(version); m != nil {
		return m[1] + ".dev" + m[2]
	}
	return version
}
