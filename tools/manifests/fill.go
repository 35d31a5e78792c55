package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// manifests returns the filled templates of a folder, the two installers, and the archive of the
// feature for development containers.
func (t *table) manifests(packaging string) (files []file, err error) {
	folder := filepath.Join(packaging, "manifests")
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		data, err := t.fill(below, string(text))
		files = append(files, file{filepath.ToSlash(below), data, 0o644})
		return err
	})
	if err != nil {
		return nil, err
	}
	shell, err := t.installer(filepath.Join(packaging, "install.sh"), "\nversion=\nchecksums=\n", "\nversion=v%s\nchecksums='%s'\n")
	if err != nil {
		return nil, err
	}
	power, err := t.installer(filepath.Join(packaging, "install.ps1"), "\t$version = ''\n\t$checksums = ''\n", "\t$version = 'v%s'\n\t$checksums = '%s'\n")
	if err != nil {
		return nil, err
	}
	files = append(files, file{"install.sh", shell, 0o755}, file{"install.ps1", power, 0o644}, file{"devcontainer/agent-hooks/download.sh", shell, 0o755})
	feature, err := t.feature(files)
	return append(files, file{"devcontainer/devcontainer-feature-agent-hooks.tgz", feature, 0o644}), err
}

// fill executes a template, whose actions are in << >>: other files have {{ }} of their own.
func (t *table) fill(name, text string) ([]byte, error) {
	parsed, err := template.New(name).Delims("<<", ">>").Option("missingkey=error").Funcs(template.FuncMap{"upper": strings.ToUpper}).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = parsed.Execute(&b, t)
	return b.Bytes(), err
}

// installer returns an installer with the version and the checksums of the release.
func (t *table) installer(path, empty, full string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, a := range t.Archives {
		lines = append(lines, a.SHA256+"  "+a.Name)
	}
	if strings.Count(string(text), empty) != 1 {
		return nil, fmt.Errorf("%s has no place for the version and the checksums", path)
	}
	return []byte(strings.Replace(string(text), empty, fmt.Sprintf(full, t.Version, strings.Join(lines, "\n")), 1)), nil
}

// feature returns the archive of the feature.
func (t *table) feature(files []file) ([]byte, error) {
	var b bytes.Buffer
	compressed := gzip.NewWriter(&b)
	w := tar.NewWriter(compressed)
	for _, f := range files {
		name, ok := strings.CutPrefix(f.path, "devcontainer/agent-hooks/")
		if !ok {
			continue
		}
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(f.data)), ModTime: t.at, Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err := compressed.Close()
	return b.Bytes(), err
}
