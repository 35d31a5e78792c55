// Package examples contains the example hooks in this folder, so that a program can list and
// copy them.
//
// It writes nothing. The hooks are embedded: nothing is read or parsed before a function is
// called.
package examples

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/manifest"
)

// Without "all:", so that files of interpreters and editors are not embedded.
//
//go:embed .agents/hooks
var folders embed.FS

const root = ".agents/hooks"

// Names returns the names of the examples, sorted.
func Names() []string {
	entries, _ := fs.ReadDir(folders, root)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Successors returns the examples that replace a former one; nil if there was none of that name.
func Successors(name string) []string {
	switch name {
	case "block-dangerous-commands":
		return []string{
			"no-disk-wipe", "no-download-and-run", "no-fork-bomb", "no-lost-git-work",
			"no-open-permissions", "no-shredding", "no-shutdown", "no-tree-removal",
		}
	case "protect-secrets":
		return []string{"keep-credentials", "no-secret-files"}
	}
	return nil
}

// Find returns the hook in the HOOK.md of an example; ok is false if there is no example of
// that name.
func Find(name string) (hook manifest.Hook, ok bool) {
	if !slices.Contains(Names(), name) {
		return manifest.Hook{}, false
	}
	source, err := fs.ReadFile(folders, path.Join(root, name, "HOOK.md"))
	if err != nil {
		return manifest.Hook{}, false
	}
	hook, _ = manifest.Parse(source, name)
	return hook, true
}

// Files returns the files of an example, of which embedding loses the modes, in byte order of their paths, or nil if there is no
// example of that name.
func Files(name string) []state.File {
	if !slices.Contains(Names(), name) {
		return nil
	}
	var files []state.File
	folder := path.Join(root, name)
	_ = fs.WalkDir(folders, folder, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folders, at)
		below := strings.TrimPrefix(at, folder+"/")
		files = append(files, state.File{Path: below, Data: data, Executable: strings.HasPrefix(below, "scripts/")})
		return err
	})
	return files
}
