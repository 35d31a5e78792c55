package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// downloads is where the archives of all releases are.
const downloads = "https://github.com/agent-hooks/agent-hooks/releases"

// table is what the manifests state about a release.
type table struct {
	Version   string    `json:"version"`
	Date      string    `json:"date"` // YYYY-MM-DD
	Downloads string    `json:"downloads"`
	Archives  []archive `json:"archives"` // sorted

	at       time.Time
	programs []artifact
}

// archive is a release's archive for one system.
type archive struct {
	System  string `json:"system"`
	Machine string `json:"machine"`
	Name    string `json:"name"`
	URL     string `json:"url"`
	SHA256  string `json:"sha256"`
}

// artifact is an entry of goreleaser's artifacts.json.
type artifact struct {
	Name, Path, Type string
	OS               string `json:"goos"`
	Machine          string `json:"goarch"`
}

func readTable(source string, at time.Time) (*table, error) {
	var metadata struct{ Version string }
	var artifacts []artifact
	if err := readJSON(filepath.Join(source, "dist/metadata.json"), &metadata); err != nil {
		return nil, err
	}
	if err := readJSON(filepath.Join(source, "dist/artifacts.json"), &artifacts); err != nil {
		return nil, err
	}
	t := &table{Version: metadata.Version, Date: at.Format(time.DateOnly), Downloads: downloads, at: at}
	for _, a := range artifacts {
		switch a.Type {
		case "Archive":
			data, err := os.ReadFile(filepath.Join(source, a.Path))
			if err != nil {
				return nil, err
			}
			sum := sha256.Sum256(data)
			t.Archives = append(t.Archives, archive{a.OS, a.Machine, a.Name, downloads + "/download/v" + t.Version + "/" + a.Name, hex.EncodeToString(sum[:])})
		case "Binary":
			t.programs = append(t.programs, a)
		}
	}
	slices.SortFunc(t.Archives, func(a, b archive) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(t.programs, func(a, b artifact) int { return cmp.Compare(a.Path, b.Path) })
	return t, nil
}

func readJSON(path string, to any) error {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	return err
}

// Of returns the archive of a system, for the templates.
func (t *table) Of(system, machine string) (archive, error) {
	i := slices.IndexFunc(t.Archives, func(a archive) bool { return a.System == system && a.Machine == machine })
	if i < 0 {
		return archive{}, fmt.Errorf("the release has no archive for %s/%s", system, machine)
	}
	return t.Archives[i], nil
}

// named returns the archives of the systems that a package manager names.
func (t *table) named(names map[string][2]string) (map[string]archive, error) {
	all := map[string]archive{}
	for name, of := range names {
		a, err := t.Of(of[0], of[1])
		if err != nil {
			return nil, err
		}
		all[name] = a
	}
	return all, nil
}

// Nix returns the archives by Nix's names of systems.
func (t *table) Nix() (map[string]archive, error) {
	return t.named(map[string][2]string{
		"aarch64-darwin": {"darwin", "arm64"}, "aarch64-linux": {"linux", "arm64"},
		"x86_64-darwin": {"darwin", "amd64"}, "x86_64-linux": {"linux", "amd64"},
	})
}

// Mise returns the archives by mise's names of systems.
func (t *table) Mise() (map[string]archive, error) {
	return t.named(map[string][2]string{
		"linux-arm64": {"linux", "arm64"}, "linux-x64": {"linux", "amd64"},
		"macos-arm64": {"darwin", "arm64"}, "macos-x64": {"darwin", "amd64"},
		"windows-arm64": {"windows", "arm64"}, "windows-x64": {"windows", "amd64"},
	})
}
