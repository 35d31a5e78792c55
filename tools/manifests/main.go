// Command manifests writes what tells package managers of a release: it fills the templates in
// packaging with the release's version and checksums, and builds the wheels for Python.
//
//	go run ./manifests SOURCE DIR
//
// SOURCE is a clone in which goreleaser has made its folder dist. All times are SOURCE_DATE_EPOCH, so
// the same release gives the same bytes.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run ./manifests SOURCE DIR")
		os.Exit(64)
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err == nil {
		err = write(os.Args[1], os.Args[2], time.Unix(seconds, 0).UTC())
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "manifests: error: %v\n", err)
		os.Exit(1)
	}
}

// write writes everything for the release in source below out.
func write(source, out string, at time.Time) error {
	t, err := readTable(source, at)
	if err != nil {
		return err
	}
	files, err := t.manifests(filepath.Join(source, "packaging"))
	if err != nil {
		return err
	}
	wheels, err := t.wheels(source)
	if err != nil {
		return err
	}
	table, err := encode(t)
	if err != nil {
		return err
	}
	files = append(append(files, wheels...), file{"table.json", table, 0o644})
	for _, f := range files {
		path := filepath.Join(out, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.data, f.mode); err != nil {
			return err
		}
	}
	return nil
}

// file is a file to write.
type file struct {
	path string // with slashes, below the folder of the manifests
	data []byte
	mode os.FileMode
}

// encode encodes JSON as people read it.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
