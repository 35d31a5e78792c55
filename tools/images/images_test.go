package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kept is the folder of the committed pictures.
const kept = "../../docs/images"

// session is the picture that e2e draws, because it needs a real agent.
const session = kept + "/session.svg"

func TestPicturesShowTodaysOutput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pictures' commands are for a POSIX shell and a pseudo-terminal")
	}
	drawn, err := draw()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range drawn {
		got, err := os.ReadFile(filepath.Join(kept, name))
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(strings.Split(string(got), "\n"), strings.Split(string(want), "\n")); diff != "" {
			t.Errorf("%s differs from the output of the program; check the difference, then run `go run ./images` (-drawn, +printed)\n%s", name, diff)
		}
	}
	files, err := filepath.Glob(kept + "/*.svg")
	files = slices.DeleteFunc(files, func(name string) bool { return filepath.ToSlash(name) == session })
	if err != nil || len(files) != len(drawn) {
		t.Errorf("%d pictures are kept, %d are drawn: %v", len(files), len(drawn), err)
	}
}

// TestPicturesStandAlone checks that the pictures are small and valid, have alternative text,
// and need no other files.
func TestPicturesStandAlone(t *testing.T) {
	files, err := filepath.Glob(kept + "/*.svg")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 16<<10 {
			t.Errorf("%s has %d bytes", name, len(text))
		}
		if err := wellFormed(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, part := range []string{` role="img"`, "<title ", "<desc "} {
			if !bytes.Contains(text, []byte(part)) {
				t.Errorf("%s has no %s", name, part)
			}
		}
		for _, part := range []string{"<script", "<image", "href", "url(", "@import", "/tmp"} {
			if bytes.Contains(text, []byte(part)) {
				t.Errorf("%s has %s", name, part)
			}
		}
	}
}

func wellFormed(text []byte) error {
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
