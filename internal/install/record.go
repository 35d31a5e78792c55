package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Record remembers the files that install wrote, so that uninstall can
// restore them. It lies in the state directory; without it, uninstall removes
// the entries that it recognises.
type Record struct {
	Version int                 `json:"version"`
	Files   map[string]FileNote `json:"files"` // by path
}

// FileNote is what a Record says about a file.
type FileNote struct {
	Agent  string   `json:"agent"`
	Scope  string   `json:"scope"`
	After  string   `json:"after"`            // SHA-256 of what install wrote
	Backup string   `json:"backup,omitempty"` // the file as it was; "" if there was none
	Dirs   []string `json:"dirs,omitempty"`   // directories that install made, outermost first
}

const recordVersion = 1

// store is the record's directory, locked.
type store struct {
	dir  string
	lock *os.File
	Record
}

// openStore locks and reads the record. Several programs that install at once
// take turns.
func openStore(stateDir string) (*store, error) {
	if stateDir == "" {
		return nil, errors.New("the state directory cannot be found: HOME is not set to an absolute path")
	}
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(stateDir, "install.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockFile(lock); err != nil {
		lock.Close()
		return nil, fmt.Errorf("lock %s: %w", lock.Name(), err)
	}
	s := &store{dir: stateDir, lock: lock}
	if s.Record, err = ReadRecord(stateDir); err != nil {
		lock.Close()
		return nil, err
	}
	return s, nil
}

func recordPath(stateDir string) string { return filepath.Join(stateDir, "installed.json") }

// ReadRecord reads the record of a state directory. One that does not exist
// is empty.
func ReadRecord(stateDir string) (Record, error) {
	r := Record{Version: recordVersion, Files: map[string]FileNote{}}
	text, err := os.ReadFile(recordPath(stateDir))
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil || r.Version != recordVersion || r.Files == nil {
		// Only an exact restoration is lost with it.
		return Record{Version: recordVersion, Files: map[string]FileNote{}}, nil
	}
	return r, nil
}

func (s *store) save() error {
	text, err := json.MarshalIndent(s.Record, "", "  ")
	if err != nil {
		return err
	}
	f, err := readFile(recordPath(s.dir))
	if err != nil {
		return err
	}
	_, err = f.write(append(text, '\n'), 0o600)
	return err
}

// handOver leaves directories that are still in use to another file below
// them, so that uninstall removes them with that.
func (s *store) handOver(dirs []string) {
	for _, dir := range slices.Backward(dirs) {
		if _, err := os.Lstat(dir); err != nil {
			continue
		}
		for path, note := range s.Files {
			if within(path, dir) && !slices.Contains(note.Dirs, dir) {
				note.Dirs = append([]string{dir}, note.Dirs...)
				s.Files[path] = note
				break
			}
		}
	}
}

func (s *store) close() { s.lock.Close() }
