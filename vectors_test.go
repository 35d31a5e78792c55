package agenthooks_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
	"github.com/agent-hooks/agent-hooks/spec"
)

// vectorsDir contains the conformance vectors. Its README.md is the contract
// that this file and run.py implement.
const vectorsDir = "testdata/vectors"

func TestVectors(t *testing.T) {
	program := buildProgram(t)
	vectors := readVectors(t)
	for _, v := range vectors {
		// All scripts are written before the first process starts: a process
		// forked meanwhile would inherit them open for writing, and starting
		// them would fail with ETXTBSY.
		v.prepare(t)
	}
	t.Parallel()
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			v.run(t, program)
		})
	}
}

func TestVectorsCiteRules(t *testing.T) {
	rules := spec.Text()
	for _, v := range readVectors(t) {
		rule := "**" + strings.TrimPrefix(v.Spec, "§") + "**"
		if !strings.HasPrefix(v.Spec, "§") || !strings.Contains(rules, rule) {
			t.Errorf("%s: no document has the rule %q", v.name, v.Spec)
		}
		if v.Why == "" || strings.Contains(v.Why, "\n") {
			t.Errorf("%s: \"why\" is not one line: %q", v.name, v.Why)
		}
		if v.Exit == spec.ExitBlock && len(v.Stderr) == 0 && v.StderrIs == nil {
			t.Errorf("%s: a block without its reason", v.name)
		}
		if slices.ContainsFunc(v.Stderr, func(text string) bool { return len(text) < 3 }) {
			t.Errorf("%s: %q is in every stderr", v.name, v.Stderr)
		}
		if !slices.Contains([]int{spec.ExitContinue, spec.ExitError, spec.ExitBlock}, v.Exit) {
			t.Errorf("%s: exit is %d", v.name, v.Exit)
		}
	}
}

// TestVectorLevels checks that each vector's level is the document with its
// rule, and that vectors of the core use no extension but unknown ones (19.1).
func TestVectorLevels(t *testing.T) {
	var keys []string
	for _, f := range spec.Fields() {
		if f.Extension && f.Name != "metadata.on-failure" {
			keys = append(keys, strings.TrimPrefix(f.Name, "metadata.")+":")
		}
	}
	levels := map[string]int{}
	for _, v := range readVectors(t) {
		levels[v.Level]++
		if text, ok := spec.Document(v.Level); !ok || !strings.Contains(text, "**"+strings.TrimPrefix(v.Spec, "§")+"**") {
			t.Errorf("%s: the document of level %q has no rule %s", v.name, v.Level, v.Spec)
		}
		if v.Level != "core" || v.Spec == "§19.1" {
			continue
		}
		for _, pattern := range []string{"*/*/HOOK.md", "*/*/hook.md", "*/hooks.toml"} {
			files, _ := filepath.Glob(filepath.Join(v.source, pattern))
			for _, file := range files {
				text, _ := os.ReadFile(file)
				_, metadata, _ := strings.Cut(string(text), "metadata:")
				if filepath.Base(file) == "hooks.toml" || slices.ContainsFunc(keys, func(key string) bool { return strings.Contains(metadata, key) }) {
					t.Errorf("%s is core, and %s has an extension", v.name, file)
				}
			}
		}
	}
	if levels["core"] < 150 {
		t.Errorf("%d core vectors", levels["core"])
	}
}

// TestVectorsAreComplete checks each expect.json for the keys that runners in
// other languages read, and README.md for an explanation of all of them.
func TestVectorsAreComplete(t *testing.T) {
	required := []string{"why", "spec", "level", "event", "exit", "stdout", "stderr", "order"}
	for _, v := range readVectors(t) {
		text, err := os.ReadFile(filepath.Join(v.source, "expect.json"))
		if err != nil {
			t.Fatal(err)
		}
		var keys map[string]any
		if err := json.Unmarshal(text, &keys); err != nil {
			t.Fatal(err)
		}
		for _, key := range required {
			if value, ok := keys[key]; !ok || value == nil && key != "stdout" {
				t.Errorf("%s: expect.json has no %q", v.name, key)
			}
		}
	}
	readme, err := os.ReadFile(filepath.Join(vectorsDir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range append(required, "async", "args", "env", "dir", "user_hooks", "modes", "runs", "stdin", "files", "stderr_is", "max_ms", "mkdir") {
		if !strings.Contains(string(readme), "\n| `"+key+"` |") {
			t.Errorf("README.md does not explain %q", key)
		}
	}
}

func TestCitedVectorsExist(t *testing.T) {
	for _, match := range regexp.MustCompile(`vector: ([a-z0-9-]+)`).FindAllStringSubmatch(spec.Text(), -1) {
		if _, err := os.Stat(filepath.Join(vectorsDir, match[1], "expect.json")); err != nil {
			t.Errorf("the specification names a missing vector: %v", err)
		}
	}
}

// withoutVector are rules of the core that no vector can reach: roles and
// terms, what agents and checkers do, and what git cannot store.
var withoutVector = strings.Fields("1.1 1.2 1.3 2.4 3.7 4.13 6.8 8.7 9.9 10.3 14.4 14.9 15.2 15.3 19.2 19.3")

// TestCoreCitesVectors checks that each rule of CORE.md names its own vector,
// and that the page at its beginning shows the files of one.
func TestCoreCitesVectors(t *testing.T) {
	rules := map[string]string{}
	for _, v := range readVectors(t) {
		rules[v.name] = strings.TrimPrefix(v.Spec, "§")
	}
	core, _ := spec.Document("core")
	var without []string
	_, text, _ := strings.Cut(core, "\n## 1 ")
	for _, part := range strings.Split(text, "\n**")[1:] {
		rule, text, _ := strings.Cut(part, "** ")
		cited := regexp.MustCompile(`\(vector: ([a-z0-9-]+)\)`).FindStringSubmatch(text)
		switch {
		case cited == nil:
			without = append(without, rule)
		case rules[cited[1]] != rule:
			t.Errorf("CORE.md %s names %s, a vector of %s", rule, cited[1], rules[cited[1]])
		}
	}
	if !slices.Equal(without, withoutVector) {
		t.Errorf("no vector is named for %q, want %q", without, withoutVector)
	}
	for _, file := range []string{"project/example/HOOK.md", "project/example/scripts/run", "event.json"} {
		if !strings.Contains(core, "\n"+read(t, filepath.Join(vectorsDir, "example", file))+"```\n") {
			t.Errorf("CORE.md does not show %s of the vector example", file)
		}
	}
}

func TestAmbiguitiesCiteVectors(t *testing.T) {
	_, text, found := strings.Cut(spec.Text(), "\n## 18 Ambiguities of the original format, resolved\n")
	if !found {
		t.Fatal("ORIGINAL.md has no section on the ambiguities of the original format")
	}
	text, _, _ = strings.Cut(text, "\n## ")
	named := regexp.MustCompile(`\| vector: [a-z0-9-]+ \|\n$`)
	rows := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| Line |") {
			continue
		}
		rows++
		if !named.MatchString(line) {
			t.Errorf("the row names no vector: %s", line)
		}
	}
	if rows == 0 {
		t.Error("the section has no rows")
	}
}

// TestVectorRunner runs the runner for other implementations with this one, on
// one vector in twenty: TestVectors runs all of them.
func TestVectorRunner(t *testing.T) {
	dir, total := vectorsDir, len(readVectors(t))
	if os.Getenv("LONG_TESTS") == "" {
		dir, total = t.TempDir(), 0
		copyTree(t, filepath.Join(vectorsDir, "run.py"), filepath.Join(dir, "run.py"))
		for i, v := range readVectors(t) {
			if i%20 == 0 {
				copyTree(t, v.source, filepath.Join(dir, v.name))
				total++
			}
		}
	}
	out, err := runVectorRunner(t, dir)
	if want := fmt.Sprintf("%d of %d vectors pass\n", total, total); err != nil || out != want {
		t.Errorf("run.py: %v\n%s", err, out)
	}
}

// TestVectorRunnerSeesDifferences runs vectors with one wrong expectation each.
func TestVectorRunnerSeesDifferences(t *testing.T) {
	testenv.Long(t)
	right := `"event": "pre-tool-call", "exit": 0, "stdout": {"decision": "ask", "reason": "sure?"}, "stderr": [], "order": ["careful"]`
	wrong := [][2]string{
		{right, right + `, "asynch": []`},
		{`"exit": 0`, `"exit": 2`},
		{`{"decision": "ask", "reason": "sure?"}`, `null`},
		{`sure?`, `certain?`},
		{`"ask",`, `"ask", "log": "<any>",`},
		{`, "reason": "sure?"`, ``},
		{`"stderr": []`, `"stderr": ["sure"]`},
		{`["careful"]`, `[]`},
		{`["careful"]`, `["careful", "careful"]`},
		{`["careful"]`, `[], "async": []`},
	}
	dir := t.TempDir()
	copyTree(t, filepath.Join(vectorsDir, "run.py"), filepath.Join(dir, "run.py"))
	add := func(name, expect string) {
		copyTree(t, filepath.Join(vectorsDir, "ask-at-exit-0"), filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name, "expect.json"), []byte(`{"level": "answers", "spec": "§11.5", `+expect+"}"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	add("right", right)
	for i, w := range wrong {
		add(fmt.Sprintf("wrong-%d", i), strings.Replace(right, w[0], w[1], 1))
	}
	out, err := runVectorRunner(t, dir)
	if want := fmt.Sprintf("1 of %d vectors pass\n", 1+len(wrong)); err == nil || !strings.HasSuffix(out, want) {
		t.Errorf("run.py: %v\n%s", err, out)
	}
	if strings.Contains(out, "FAIL right") || strings.Count(out, "FAIL wrong-") != len(wrong) {
		t.Errorf("run.py names the wrong vectors:\n%s", out)
	}
}

// TestSmallRunner runs the vectors of the core with the runner that docs/implementing.md shows, one in
// twenty without LONG_TESTS.
func TestSmallRunner(t *testing.T) {
	dir, total := t.TempDir(), 0
	copyTree(t, filepath.Join(vectorsDir, "run.py"), filepath.Join(dir, "run.py"))
	for i, v := range readVectors(t) {
		if v.Level == "core" && (i%20 == 0 || v.name == "example" || os.Getenv("LONG_TESTS") != "") {
			copyTree(t, v.source, filepath.Join(dir, v.name))
			total++
		}
	}
	out, err := runVectorRunner(t, dir, "--level", "core", "python3", filepath.Join("examples", "runner", "hooks.py"))
	if want := fmt.Sprintf("%d of %d vectors pass\n", total, total); err != nil || out != want {
		t.Errorf("run.py: %v\n%s", err, out)
	}
}

// TestVariantsApply checks that each variant of the small runner changes it at
// one place. tools/variants/variants.py runs them.
func TestVariantsApply(t *testing.T) {
	runner, list := read(t, "examples/runner/hooks.py"), read(t, "tools/variants/core.txt")
	variants := strings.Split(list, "\n= ")[1:]
	for _, v := range variants {
		title, lines, _ := strings.Cut(v, "\n")
		old := ""
		for line := range strings.Lines(lines) {
			if rest, found := strings.CutPrefix(line, "-"); found {
				old += strings.TrimPrefix(rest, " ")
			}
		}
		if n := strings.Count(runner, strings.TrimSuffix(old, "\n")); n != 1 {
			t.Errorf("%s: its text is %d times in the runner", title, n)
		}
		if rule, _, _ := strings.Cut(title, " "); !strings.Contains(spec.Text(), "**"+rule+"**") {
			t.Errorf("%s: no document has the rule", title)
		}
	}
	if len(variants) < 80 {
		t.Errorf("%d variants", len(variants))
	}
}

func runVectorRunner(t *testing.T, dir string, command ...string) (string, error) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("run.py has not been tried on Windows")
	}
	python, err := osexec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	if command == nil {
		command = []string{buildProgram(t)}
	}
	out, err := osexec.Command(python, append([]string{filepath.Join(dir, "run.py")}, command...)...).CombinedOutput()
	return string(out), err
}

// buildProgram returns the path of the command, built as for users.
func buildProgram(t *testing.T) string {
	t.Helper()
	dir, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "agent-hooks"+map[bool]string{true: ".exe"}[runtime.GOOS == "windows"])
}

// builtProgram builds the command once, in a folder that TestMain removes.
var builtProgram = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "agent-hooks-tests-"); err != nil {
		return "", err
	}
	programDir.Store(&dir)
	if built := os.Getenv("TEST_PROGRAM"); built != "" { // where there is no go
		return dir, copyFile(built, filepath.Join(dir, filepath.Base(built)))
	}
	if out, err := osexec.Command("go", "build", "-o", dir+string(filepath.Separator), "./cmd/agent-hooks").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return dir, nil
})

var programDir atomic.Pointer[string]

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "8") // most tests wait for processes
	status := testenv.Run(m.Run)
	if dir := programDir.Load(); dir != nil {
		os.RemoveAll(*dir)
	}
	os.Exit(status)
}
