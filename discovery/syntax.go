package discovery

import (
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// checkSyntax checks a shell script with the system's bash, if it is installed: a
// bash in PATH may be the project's (D101).
func (s script) checkSyntax(line string) []spec.Diagnostic {
	if !s.forBash(line) {
		return nil
	}
	bash, err := findProgram(place.SystemPath(), s.path, []string{"bash"})
	if err != nil {
		return nil
	}
	message, ok := bashRejects(bash, s.path)
	if !ok {
		return nil
	}
	if line, text := lineOf(message); line > 0 {
		return []spec.Diagnostic{problemAt(s.path, line, "entry-syntax", "bash rejects it: "+text)}
	}
	return []spec.Diagnostic{problem(s.path, "entry-syntax", "bash rejects it: "+message)}
}

// forBash reports whether bash can check the syntax of the script.
func (s script) forBash(line string) bool {
	if line == "" {
		return filepath.Ext(s.path) == ".sh"
	}
	program, _ := interpreter(line)
	switch filepath.Base(program) {
	case "sh", "bash", "dash":
		return true
	}
	return false
}

// bashRejects returns the first line of the error that `bash -n` prints,
// without the script's path. It executes nothing of the script. No start-up
// file is read, because the environment is empty.
func bashRejects(bash, script string) (message string, rejected bool) {
	const limit = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	command := exec.CommandContext(ctx, bash, "-n", script)
	command.Env = []string{"LC_ALL=C"}
	command.WaitDelay = time.Second
	output, err := command.CombinedOutput()
	if err == nil || ctx.Err() != nil || command.ProcessState == nil {
		return "", false
	}
	first, _, _ := strings.Cut(string(output), "\n")
	first = strings.TrimSpace(strings.TrimPrefix(first, script+":"))
	return shown.Path(strings.ToValidUTF8(first, "\ufffd")), true
}

// lineOf splits the number off a message that begins with "line 3: "; 0 if there is none.
func lineOf(message string) (line int, text string) {
	rest, ok := strings.CutPrefix(message, "line ")
	number, text, found := strings.Cut(rest, ": ")
	line, err := strconv.Atoi(number)
	if !ok || !found || err != nil {
		return 0, ""
	}
	return line, text
}
