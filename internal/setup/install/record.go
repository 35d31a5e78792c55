package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Record lists the files that install wrote, so that uninstall can restore
// them. It is stored in the state directory. Without it, uninstall removes the
// entries that it recognizes.
type Record struct {
	Version int                 `json:"version"`
	Files   map[string]FileNote `json:"files"`          // by path
	Dirs    []string            `json:"dirs,omitempty"` // directories that install created, outermost first
}

// FileNote is a Record's entry for a file.
type FileNote struct {
	Agent  string `json:"agent"`
	Scope  string `json:"scope"`
	After  string `json:"after"`            // SHA-256 of what install wrote
	Backup string `json:"backup,omitempty"` // path of the original file; "" if there was none
}

const recordVersion = 1

// store is the record's directory, locked.
type store struct {
	dir  string
	lock *os.File
	Record
}

// openStore locks and reads the record. Concurrent installs run one at a time.
func openStore(stateDir string) (*store, error) {
	if stateDir == "" {
		return nil, errors.New("the state directory cannot be found: HOME is not set to an absolute path")
	}
	const tries = 100
	path := filepath.Join(stateDir, "install.lock")
	var err error
	for range tries { // whoever held the lock before may have removed it, with its directory
		s := &store{dir: stateDir}
		err = os.MkdirAll(stateDir, 0o700)
		if err == nil {
			s.lock, err = state.Lock(path)
		}
		if err != nil {
			continue
		}
		open, failed := s.lock.Stat()
		named, gone := os.Stat(path)
		if failed == nil && gone == nil && os.SameFile(open, named) {
			s.Record, err = ReadRecord(stateDir)
			if err != nil {
				s.close()
			}
			return s, err
		}
		s.close()
		err = fmt.Errorf("%s was removed again and again", path)
	}
	return nil, err
}

const maxRecord = 64 << 20 // bytes of installed.json

func recordPath(stateDir string) string { return filepath.Join(stateDir, "installed.json") }

// ReadRecord reads the record of a state directory. A missing or damaged record is empty: without it,
// uninstall still removes entries, but restores no files.
func ReadRecord(stateDir string) (r Record, err error) {
	text, _, err := paths.Read(recordPath(stateDir), maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil || json.Unmarshal(text, &r) != nil || r.Version != recordVersion || r.Files == nil {
		return Record{Version: recordVersion, Files: map[string]FileNote{}}, err
	}
	return r, nil
}

// save writes the record, and removes directories that install created and that are empty. An empty
// record is removed, with the lock and the directory if nothing else is in it.
func (s *store) save() error {
	RemoveDirs(s.Dirs)
	s.Dirs = slices.DeleteFunc(s.Dirs, func(dir string) bool { return !paths.IsFolder(dir) })
	if len(s.Files) == 0 {
		err := os.Remove(recordPath(s.dir))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if runtime.GOOS == "windows" { // an open file is not removed there, nor is one that another install has opened
			s.close()
		}
		_ = os.Remove(s.lock.Name())
		_ = state.RemoveEmpty(s.dir)
		return err
	}
	text, err := json.MarshalIndent(s.Record, "", "  ")
	if err != nil {
		return err
	}
	return state.Write(recordPath(s.dir), append(text, '\n'), 0o600)
}

func (s *store) close() { s.lock.Close() }
