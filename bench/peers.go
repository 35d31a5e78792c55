package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// peer is another way of running the one hook of a project.
type peer struct {
	name    string
	goal    float64 // how many times slower it is to be at least, 0 for none
	prepare func(p project) (process, error)
}

func (b *bench) peers() (string, error) {
	p, err := b.fixture(0, 1)
	if err != nil {
		return "", err
	}
	t := table{head: []string{"one hook, which matches", "ms", "agent-hooks in the same rounds, ms", "times slower"}}
	for _, other := range []peer{
		{"the bare script", 0, func(p project) (process, error) { return b.scripts(p, 1)[0], nil }},
		{"run-parts (looks at no event)", 0, b.runParts},
		{"lefthook (looks at no event)", 4.8, b.lefthook},
		{"a runner of 20 lines in Python", 0, b.interpreted("python3", "runner.py", "import sys; print(sys.executable)", "-c")},
		{"a runner of 20 lines in Node", 20, b.interpreted("node", "runner.js", "console.log(process.execPath)", "-e")},
	} {
		program, err := other.prepare(p)
		if err != nil {
			t.add(other.name, "not measured: "+firstLine(err.Error()), "", "")
			continue
		}
		times, err := interleave(b.rounds, program.time, b.run(p, b.event).time)
		if err != nil {
			return "", err
		}
		slower := fmt.Sprintf("%.2f", ratio(times[0], times[1]))
		if other.goal > 0 {
			slower += fmt.Sprintf(" (goal: at least %.1f)", other.goal)
		}
		t.add(other.name, ms(milliseconds(times[0])), ms(milliseconds(times[1])), slower)
	}
	return t.String(), nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// interpreted prepares one of our small runners. The interpreter says where
// it is itself, so that no version manager stands between.
func (b *bench) interpreted(interpreter, script, ask, flag string) func(project) (process, error) {
	return func(p project) (process, error) {
		out, err := exec.Command(interpreter, flag, ask).Output()
		if err != nil {
			return process{}, err
		}
		return process{[]string{strings.TrimSpace(string(out)), filepath.Join(b.dir, script), p.hooks}, p.dir, b.environ, b.event}, nil
	}
}

func (b *bench) runParts(p project) (process, error) {
	program, err := exec.LookPath("run-parts")
	if err != nil {
		return process{}, err
	}
	return process{[]string{program, "--regex=^run.sh$", filepath.Join(p.hooks, "match-0", "scripts")}, p.dir, b.environ, b.event}, nil
}

// lefthook installs lefthook from npm, and runs its program without the
// wrapper in Node.
func (b *bench) lefthook(p project) (process, error) {
	dir := filepath.Join(b.dir, "lefthook")
	config := "pre-tool-call:\n  jobs:\n    - run: " + filepath.Join(p.hooks, "match-0", "scripts", "run.sh") + "\n"
	if err := os.Mkdir(dir, 0o755); err != nil {
		return process{}, err
	}
	if err := os.WriteFile(filepath.Join(dir, "lefthook.yml"), []byte(config), 0o644); err != nil {
		return process{}, err
	}
	for _, argv := range [][]string{
		{"git", "init", "--quiet", dir},
		{"npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", dir, "lefthook"},
	} {
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			return process{}, fmt.Errorf("%s: %w: %s", argv[0], err, out)
		}
	}
	programs, err := filepath.Glob(filepath.Join(dir, "node_modules", "lefthook-*", "bin", "lefthook"))
	if err != nil || len(programs) != 1 {
		return process{}, fmt.Errorf("npm brought %d programs for this system", len(programs))
	}
	return process{[]string{programs[0], "run", "pre-tool-call"}, dir, b.environ, b.event}, nil
}
