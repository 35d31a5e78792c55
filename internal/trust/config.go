package trust

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// ConfigName is the name under which the review of a project's hooks.toml is recorded, as if it were
// a folder with this one file. No hook can be reviewed under it.
const ConfigName = "hooks.toml"

// ReadConfig reads the hooks.toml next to a directory of hooks for a review; nil if there is none.
// It follows no link out of the directory in which the file is.
func ReadConfig(hooks string) (*Folder, error) {
	root, err := os.OpenRoot(filepath.Dir(hooks) + string(filepath.Separator))
	if err != nil {
		return nil, shown.Cause(err)
	}
	defer root.Close()
	if _, err := root.Lstat(ConfigName); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	r := reader{bytes: spec.MaxConfigFile}
	if err := r.file(root, ConfigName); err != nil {
		return nil, err
	}
	r.files[0].Executable = false
	return &Folder{Name: ConfigName, Files: r.files}, nil
}

// ConfigCandidate returns a project's hooks.toml as it is shown and will be reviewed; nil if there is
// none.
func ConfigCandidate(hooks string, history *History) (*Candidate, error) {
	folder, err := ReadConfig(hooks)
	switch {
	case err != nil:
		return &Candidate{Name: ConfigName, Refused: err.Error()}, nil
	case folder == nil:
		return nil, nil
	}
	r := &Candidate{Name: ConfigName, News: Fresh, Folder: folder, Others: reason(paths.CheckFile(filepath.Join(filepath.Dir(hooks), ConfigName)))}
	if err := r.compare(history, false); err != nil {
		return nil, err
	}
	if hidden := r.hidden(); hidden != "" {
		r.Refused = hidden
	}
	return r, nil
}

// Config returns the text of the reviewed hooks.toml of the project with a directory of hooks; nil if
// none was reviewed. notice says how the file differs from it now; "" if it does not.
func (c *Check) Config(hooks string) (text []byte, notice string) {
	if hooks == "" {
		return nil, ""
	}
	p := c.at(filepath.Dir(filepath.Dir(hooks)))
	if p == nil || p.hooks[ConfigName] == nil {
		return nil, ""
	}
	k := p.hooks[ConfigName]
	folder := c.store.copyPath(ConfigName, k.digest)
	c.look(folder)
	c.look(filepath.Join(folder, ConfigName))
	copied, err := Read(folder)
	if err != nil || len(copied.Files) != 1 {
		return nil, "its reviewed copy is gone from the trust store"
	}
	now, err := ReadConfig(hooks)
	switch {
	case err != nil || now == nil:
		notice = "it is gone or cannot be read; the version that you reviewed applies (agent-hooks trust --remove hooks.toml ends that)"
	case now.Digest() != k.digest:
		notice = "changed since you reviewed it, and the reviewed version applies"
	}
	return copied.Files[0].Data, notice
}
