package main

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/tools/svg"
)

func TestStartOnTerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command is for a POSIX shell and a pseudo-terminal")
	}
	j := job{Folder: t.TempDir()}
	if err := os.Mkdir(j.log(), 0o755); err != nil {
		t.Fatal(err)
	}
	const script = `stty -echo; printf 'name? '; read name
printf '\r\033[K\033[1;38;2;17;34;51m%s\033[0m \033[48;2;0;0;0m⎿\033[0m' "$name"; sleep 600`
	c := command{Name: "greet", Args: []string{"/bin/sh", "-c", script}, Dir: j.Folder, Timeout: time.Minute}
	c.Terminal = &terminal{Columns: 6, Rows: 1, Acts: []act{{After: `name\?`, Type: "A\n"}, {After: "^A"}}}
	if _, err := j.run(c); err != nil {
		t.Fatal(err)
	}
	var got []svg.Line
	if err := readJSON(j.screenFile("greet"), &got); err != nil {
		t.Fatal(err)
	}
	blank := svg.Cell{Text: " "}
	want := []svg.Line{{{Text: "A", Style: "112233;1"}, blank, {Text: "└", Background: "#000000"}, blank, blank, blank}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]svg.Look{{Style: "112233;1", CSS: "fill: #112233; font-weight: 600"}}, looksOf(got)); diff != "" {
		t.Error(diff)
	}
}
