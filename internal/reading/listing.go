package reading

import (
	"io"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
)

// Listing is what a shell text runs, as agent-hooks commands prints it (D75).
type Listing struct {
	reader  shell.Reader
	pending error // of the pipelines
}

// ListText reads a shell text. name is the shell that runs it; "" means that of the system. bash
// means that the caller is documented to run commands in bash there (D97). The error is why
// nothing of the text can be read; Notes has what was not read of it.
func ListText(text, name string, bash bool, goos string) (*Listing, error) {
	if name == "" {
		name = shellOf("", bash, goos)
	}
	l := &Listing{}
	posix, err := shell.CheckName(name)
	if err != nil {
		return l, err
	}
	l.reader.POSIX = posix
	_ = l.reader.Read(text)
	return l, nil
}

// ListEvent reads the commands of an event. A tool that may be a shell's has the commands under the
// keys by which an unknown tool is guessed (SPEC.md 7.5), also for tools of MCP servers: a hook that
// reads them expects commands. An event of another known tool has none. An event of a shell's tool
// without a command is an error.
func ListEvent(event []byte, name string, bash bool, goos string) (*Listing, error) {
	l := &Listing{}
	return l, readEvent(&l.reader, event, name, bash, goos)
}

// Write prints one line per command, or one JSON object.
func (l *Listing) Write(w io.Writer, json bool) error {
	if json {
		return shell.WriteJSON(w, l.reader.Commands)
	}
	return shell.Write(w, l.reader.Commands)
}

// WritePipelines prints one line per pipeline (D93).
func (l *Listing) WritePipelines(w io.Writer) error {
	lines, err := l.reader.Pipelines()
	l.pending = err
	return shell.WritePipelines(w, lines)
}

// Notes returns what was not read (D120). For pipelines, a shell that runs a program that nobody can
// know is not among them: the pipeline ends with it.
func (l *Listing) Notes(pipelines bool) (notes []error) {
	if l.pending != nil {
		notes = append(notes, l.pending)
	}
	for _, n := range l.reader.Notes() {
		if !n.Program || !pipelines {
			notes = append(notes, &n)
		}
	}
	return notes
}

// CommandsIn returns the words of the commands that a shell text runs. complete is false if a part of
// it cannot be read.
func CommandsIn(text string) (commands [][]string, complete bool) {
	var r shell.Reader
	err := r.Read(text)
	for _, c := range r.Commands {
		commands = append(commands, c.Words)
	}
	return commands, err == nil
}

// Launch is what is known about the process of a script: its directory and its variables. Its
// method Read follows a script that only starts another program.
type Launch = shell.Launch
