package past

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// file is one transcript.
type file struct {
	agent *agent.Agent
	path  string
	root  string // the agent's folder of transcripts
	size  int64
	info  fs.FileInfo
}

// folder returns a folder of transcripts.
func (o *Options) folder(d dir) string {
	rest, _ := strings.CutPrefix(d.path, "~/")
	if d.home != "" {
		if home := o.Getenv(d.home); filepath.IsAbs(home) {
			_, below, _ := strings.Cut(rest, "/")
			return filepath.Join(home, filepath.FromSlash(below))
		}
	}
	return filepath.Join(o.Home, filepath.FromSlash(rest))
}

// find lists the transcripts, the largest first, so that all workers end at about the
// same time. It follows no link below the agents' folders.
func (r *run) find() (files []file) {
	for _, a := range r.Agents {
		format := formatOf(a)
		for _, d := range format.dirs {
			root, err := paths.Real(r.folder(d))
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					r.tally.skip(a, "not readable")
				}
				continue
			}
			r.tally.count(a, func(all *Agent) { all.Folders = append(all.Folders, root) })
			_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
				if r.ctx.Err() != nil {
					return filepath.SkipAll
				}
				name, _ := filepath.Rel(root, path)
				name = filepath.ToSlash(name)
				switch {
				case err != nil:
					r.tally.skip(a, "not readable")
				case e.Type()&fs.ModeSymlink != 0:
					r.tally.skip(a, "a link")
				case e.IsDir():
				case format.unread(name) != "":
					r.tally.skip(a, format.unread(name))
				case !format.is(name):
				case !e.Type().IsRegular():
					r.tally.skip(a, "not a regular file")
				default:
					info, err := e.Info()
					if err != nil {
						r.tally.skip(a, "not readable")
					} else if !info.ModTime().Before(r.Since) {
						files = append(files, file{a, path, root, info.Size(), info})
					}
				}
				return nil
			})
		}
	}
	for _, path := range r.Files {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			r.tally.skip(Events, "not readable")
			continue
		}
		r.tally.count(Events, func(all *Agent) { all.Folders = append(all.Folders, path) })
		files = append(files, file{Events, path, filepath.Dir(path), info.Size(), info})
	}
	slices.SortStableFunc(files, func(a, b file) int { return int(min(1, max(-1, b.size-a.size))) })
	return files
}

// maxAside limits the file that names a session's directory.
const maxAside = 1 << 20

// aside returns the content of the file that names the session's directory; nil if there is none.
func (f *file) aside() []byte {
	name := formatOf(f.agent).aside
	if name == "" {
		return nil
	}
	for dir := filepath.Dir(f.path); len(dir) >= len(f.root); dir = filepath.Dir(dir) {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if text, _, err := paths.Read(path, maxAside); err == nil {
			return text
		}
	}
	return nil
}
