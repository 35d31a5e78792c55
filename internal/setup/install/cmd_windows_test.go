package install

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// TestWindowsCmd runs the command lines for cmd.exe with the real one: the program must get its words
// and cmd.exe must end with its status.
func TestWindowsCmd(t *testing.T) {
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, folder := range []string{"plain", "Program Files (x86)", "J. O'Neil & Søn", `100% sure`, `^a!b;c=d`} {
		program := filepath.Join(root, folder, "agent-hooks.exe")
		if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(program, data, 0o755); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, c := range All() {
			eachWindowsLine(t, c, program, func(kind agent.Shell, event, line string, words []string) {
				if kind != agent.CmdExe || seen[c.Name] || folder != "plain" && len(seen) > 0 {
					return // one event of each agent, and one agent in the other folders
				}
				seen[c.Name] = true
				for start, text := range cmdStarts(line) {
					checkCmd(t, c.Name+", "+start, text, words)
				}
			})
		}
		if len(seen) == 0 {
			t.Error("no agent uses cmd.exe")
		}
	}
}

// TestWindowsCmdShared runs the lines of a project's entries for cmd.exe: the program of PATH gets its
// words, one in the project never does (not checked under Wine), and without the program nothing is said.
func TestWindowsCmdShared(t *testing.T) {
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	installed, project := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(installed, "agent-hooks.exe"), data, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(project)
	system := filepath.Join(os.Getenv("SYSTEMROOT"), "System32")
	if exec.Command("where", "/q", "$PATH:cmd.exe").Run() != nil { // Wine's has neither, and its cmd.exe ignores the variable
		if err := os.WriteFile(filepath.Join(system, "..", "where.exe"), data, 0o755); err != nil {
			t.Fatal(err)
		}
		system = filepath.Dir(system) + ";" + system
	} else if err := os.WriteFile("agent-hooks.exe", []byte("not a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, c := range All() {
		target := windowsTarget(t, c)
		for _, p := range c.Places {
			if p.Scope() != "project" {
				continue
			}
			target.eachLine(p, Options{Scope: "project", Program: "agent-hooks"}, func(kind agent.Shell, event, line string, words []string) {
				if kind != agent.CmdExe || lines == 4 {
					return
				}
				lines++
				for start, text := range cmdStarts(line) {
					t.Setenv("PATH", installed+";"+system)
					checkCmd(t, c.Name+", "+start, text, words)
					t.Setenv("PATH", system)
					cmd := exec.Command("cmd.exe")
					cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: "cmd.exe " + text}
					if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
						t.Errorf("without the program, %s: %s\n%v: %s", start, text, err, out)
					}
				}
			})
		}
	}
	if lines == 0 {
		t.Error("no project's entry is for cmd.exe")
	}
}

// startedAsWhere is where.exe, of which it knows "where /q $PATH:NAME".
func startedAsWhere() {
	if name := filepath.Base(os.Args[0]); !strings.EqualFold(strings.TrimSuffix(name, ".exe"), "where") {
		return
	}
	name, ok := strings.CutPrefix(os.Args[len(os.Args)-1], "$PATH:")
	if _, err := exec.LookPath(name); !ok || os.Args[1] != "/q" || err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

func checkCmd(t *testing.T, name, text string, words []string) {
	t.Helper()
	cmd := exec.Command("cmd.exe")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: "cmd.exe " + text}
	cmd.Env = append(os.Environ(), argumentsVar+"=1")
	out, _ := cmd.CombinedOutput()
	var got []string
	_ = json.Unmarshal(out, &got)
	if len(got) > 0 { // by which of its names is not the point
		a, _ := os.Stat(got[0])
		if b, err := os.Stat(words[0]); err == nil && os.SameFile(a, b) {
			got[0] = words[0]
		}
	}
	if status := cmd.ProcessState.ExitCode(); !slices.Equal(got, words) || status != 2 {
		t.Errorf("%s: %s\nprinted %s, status %d\nwant %q, 2", name, text, out, status, words)
	}
}
