package spec

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// table returns the rows of the only table of SPEC.md with this header, their
// cells joined by " | ", without backquotes.
func table(t *testing.T, header string) []string {
	t.Helper()
	_, after, ok := strings.Cut(Text(), "\n| "+header+" |\n|---")
	if !ok || strings.Contains(after, "\n| "+header+" |\n|---") {
		t.Fatalf("SPEC.md has not exactly one table %q", header)
	}
	_, after, _ = strings.Cut(after, "\n")
	var rows []string
	for line := range strings.Lines(after) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		var row []string
		for _, c := range strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " |") {
			row = append(row, strings.ReplaceAll(strings.TrimSpace(c), "`", ""))
		}
		rows = append(rows, strings.Join(row, " | "))
	}
	return rows
}

// column returns the first cell of each row.
func column(rows []string) []string {
	var cells []string
	for _, r := range rows {
		cell, _, _ := strings.Cut(r, " | ")
		cells = append(cells, cell)
	}
	return cells
}

func cells(values ...any) string {
	var row []string
	for _, v := range values {
		switch v := v.(type) {
		case bool:
			row = append(row, map[bool]string{true: "yes", false: "no"}[v])
		case []string:
			row = append(row, strings.Join(v, ", "))
		default:
			row = append(row, fmt.Sprint(v))
		}
	}
	return strings.Join(row, " | ")
}

// same compares a list in a document, which errors name, with the expected one.
func same(t *testing.T, document, what string, text, want []string) {
	t.Helper()
	failed := false
	for _, x := range want {
		if !slices.Contains(text, x) {
			failed = true
			t.Errorf("%s lacks the %s: %s", document, what, x)
		}
	}
	for i, x := range text {
		switch {
		case !slices.Contains(want, x):
			failed = true
			t.Errorf("%s has an unexpected %s: %s", document, what, x)
		case !failed && len(text) == len(want) && want[i] != x:
			failed = true
			t.Errorf("%s has the %s %s in the place of: %s", document, what, x, want[i])
		}
	}
	if !failed && len(text) != len(want) {
		t.Errorf("%s has a %s twice: %q, want %q", document, what, text, want)
	}
}

func TestTextEvents(t *testing.T) {
	var want []string
	for _, e := range Events() {
		want = append(want, cells(e.Event, e.Category, e.Timing, e.Blocking, e.Block, e.Mode, e.When, e.Extension))
	}
	same(t, "SPEC.md", "event", table(t, "Event | Category | Timing | Blocking | A block means | Mode | When | Extension"), want)
}

func TestTextFields(t *testing.T) {
	var want, extensions []string
	for _, f := range Fields() {
		want = append(want, cells(f.Name, f.Type, f.Required, f.Default, f.Range, f.Extension, f.Description))
		if f.Extension {
			extensions = append(extensions, f.Name)
		}
	}
	same(t, "SPEC.md", "key", table(t, "Key | Type | Required | Default | Range | Extension | Meaning"), want)
	named := slices.DeleteFunc(column(table(t, "Extension | Where | Rule")), func(s string) bool {
		return !strings.HasPrefix(s, "metadata.")
	})
	same(t, "SPEC.md", "extension", named, extensions)
}

func TestFieldRanges(t *testing.T) {
	want := map[string][2]string{
		"name":                {"", fmt.Sprintf("1-%d characters", MaxName)},
		"description":         {"", fmt.Sprintf("1-%d characters", MaxDescription)},
		"timeout":             {strconv.Itoa(ms(DefaultTimeout)), fmt.Sprintf("%d-%d", ms(MinTimeout), ms(MaxTimeout))},
		"priority":            {strconv.Itoa(DefaultPriority), fmt.Sprintf("0-%d", MaxPriority)},
		"metadata.retry":      {"0", fmt.Sprintf("0-%d", MaxRetry)},
		"metadata.on-failure": {"allow", "allow, deny, ask"},
	}
	for _, f := range Fields() {
		if w, ok := want[f.Name]; ok && w != [2]string{f.Default, f.Range} {
			t.Errorf("%s: default %q and range %q, want %q", f.Name, f.Default, f.Range, w)
		}
		delete(want, f.Name)
	}
	if len(want) > 0 {
		t.Errorf("no such keys: %v", want)
	}
}

// TestTextDeciding compares the keys for which a text in place of metadata stops a hook (SPEC.md 4.8).
func TestTextDeciding(t *testing.T) {
	_, rule, _ := strings.Cut(Text(), "unless a line in it begins with ")
	rule, _, _ = strings.Cut(rule, ". ")
	var text, want []string
	for _, m := range regexp.MustCompile("`([a-z-]+):`").FindAllStringSubmatch(rule, -1) {
		text = append(text, "metadata."+m[1])
	}
	for _, f := range Fields() {
		if f.Deciding {
			want = append(want, f.Name)
		}
	}
	slices.Sort(text)
	slices.Sort(want)
	same(t, "SPEC.md 4.8", "key", text, want)
}

func ms(d time.Duration) int { return int(d / time.Millisecond) }

func TestTextTools(t *testing.T) {
	var want []string
	for _, row := range tools {
		want = append(want, cells(row.canonical, row.claude, row.callers))
	}
	same(t, "SPEC.md", "tool", table(t, "Canonical | Claude Code | Other names"), want)
}

func TestTextKeys(t *testing.T) {
	var want []string
	for _, row := range InputKeys() {
		want = append(want, cells(row.Canonical, row.Words, row.Tools, row.MCP))
	}
	same(t, "SPEC.md", "key", table(t, "Key | Last word of the key | Counts as | For tools of MCP servers"), want)
}

// TestTextKeysOfPaths compares the lists of keys in SPEC.md 6.13 with the code.
func TestTextKeysOfPaths(t *testing.T) {
	text := Text()
	for _, keys := range [][]string{textKeys[:], searchKeys[:], plainKeys[:], urlKeys[:]} {
		if list := "`" + strings.Join(keys, "`, `") + "`"; !strings.Contains(text, list) {
			t.Errorf("SPEC.md lacks %s", list)
		}
	}
}

func TestKeyOf(t *testing.T) {
	for key, want := range map[string]string{
		"command": "command", "cmd": "command", "CommandLine": "command", "cOmMaNd": "command", "run-cmd": "command", "CMDLine": "command", "cmd2": "command",
		"shellScript": "command", "argv": "arguments", "target_file": "file_path", "notebookPath": "file_path", "FILE": "file_path", "$path": "file_path",
		strings.Repeat("x", 1000) + "_command": "command",
		"profile":                              "", "description": "", "": "", "_": "", "recommand": "", "pathology": "", "files_read": "",
	} {
		got := ""
		if row := KeyOf(key); row != nil {
			got = row.Canonical
		}
		if got != want {
			t.Errorf("KeyOf(%q) = %q, want %q", key, got, want)
		}
	}
}

func TestTextMCP(t *testing.T) {
	rows := table(t, "Spelling | Canonical")
	if len(rows) != 3 {
		t.Errorf("%d spellings, want 3", len(rows))
	}
	for _, row := range rows {
		spelling, canonical, _ := strings.Cut(row, " | ")
		if got := ToolNames(spelling); !slices.Equal(got, []string{spelling, canonical}) {
			t.Errorf("ToolNames(%q) = %q, want %q as well", spelling, got, canonical)
		}
	}
}

func TestTextCodes(t *testing.T) {
	var want []string
	for _, c := range Codes() {
		want = append(want, strings.ReplaceAll(cells(c.Code, c.Severity, !c.Fatal, c.Meaning, c.Fix), "`", ""))
	}
	same(t, "SPEC.md", "code", table(t, "Code | Severity | Runs | Meaning | Fix"), want)
}

// constants returns the names in the constant declarations of spec.go whose
// comment begins with the given text.
func constants(t *testing.T, comment string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "spec.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST || !strings.HasPrefix(g.Doc.Text(), comment) {
			continue
		}
		for _, s := range g.Specs {
			for _, n := range s.(*ast.ValueSpec).Names {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

func TestTextLimits(t *testing.T) {
	limits := []struct{ constant, row string }{
		{"MaxName", fmt.Sprintf("name | 1 to %d characters", MaxName)},
		{"MaxDescription", fmt.Sprintf("description | 1 to %d characters", MaxDescription)},
		{"MinTimeout", fmt.Sprintf("smallest timeout | %d ms", ms(MinTimeout))},
		{"MaxTimeout", fmt.Sprintf("largest timeout | %d ms", ms(MaxTimeout))},
		{"DefaultTimeout", fmt.Sprintf("default timeout | %d ms", ms(DefaultTimeout))},
		{"MaxPriority", fmt.Sprintf("priority | 0 to %d", MaxPriority)},
		{"DefaultPriority", fmt.Sprintf("default priority | %d", DefaultPriority)},
		{"MaxRetry", fmt.Sprintf("metadata.retry | 0 to %d", MaxRetry)},
		{"MaxAttempts", fmt.Sprintf("attempts of a hook with protocol: j-cli together | %d ms", ms(MaxAttempts))},
		{"MaxFrontMatter", fmt.Sprintf("front matter | %d bytes", MaxFrontMatter)},
		{"MaxHookFile", fmt.Sprintf("HOOK.md | %d bytes", MaxHookFile)},
		{"MaxConfigFile", fmt.Sprintf("hooks.toml | %d bytes", MaxConfigFile)},
		{"DefaultStopLimit", fmt.Sprintf("default stop-limit | %d", DefaultStopLimit)},
		{"MaxStopLimit", fmt.Sprintf("stop-limit | 1 to %d", MaxStopLimit)},
		{"MatchBudget", fmt.Sprintf("budget of one matcher on one event | %d ms", ms(MatchBudget))},
		{"MaxLoad", fmt.Sprintf("reading a project's hooks | %d ms, at most half of the deadline", ms(MaxLoad))},
		{"MaxSearched", fmt.Sprintf("value that a matcher searches | %d bytes", MaxSearched)},
		{"MaxParts", fmt.Sprintf("files of one call for a script that takes one file per call | %d", MaxParts)},
		{"MaxPartBytes", fmt.Sprintf("inputs of these files together | %d bytes", MaxPartBytes)},
		{"StallTimeout", fmt.Sprintf("stall of the event on stdin | %d ms", ms(StallTimeout))},
		{"MaxOutput", fmt.Sprintf("stdout of a hook | %d bytes plus twice the event", MaxOutput)},
		{"MaxOutput", fmt.Sprintf("stderr of a hook | %d bytes", MaxOutput)},
		{"MaxReason", fmt.Sprintf("reason | %d bytes", MaxReason)},
		{"MaxEnvValue", fmt.Sprintf("value of a variable | %d bytes", MaxEnvValue)},
		{"MaxDepth", fmt.Sprintf("depth of hooks that start agents | %d", MaxDepth)},
		{"KillGrace", fmt.Sprintf("grace between SIGTERM and SIGKILL | %d ms", ms(KillGrace))},
		{"PipeGrace", fmt.Sprintf("wait for a pipe that outlives its hook | %d ms", ms(PipeGrace))},
		{"KeptOutput", fmt.Sprintf("kept output of an async hook | %d bytes", KeptOutput)},
	}
	// The limits of other packages are where the source says.
	elsewhere := []struct{ before, source, declaration, row string }{
		{"budget of one matcher", "../manifest/yaml.go", "maxDepth = 64\n", "nesting of front matter | 64 levels"},
		{"budget of one matcher", "../manifest/yaml.go", "maxNodes = 10000\n", "values in front matter, aliases counted | 10000"},
		{"budget of one matcher", "", "", "hooks of a scope or an event | none"},
		{"budget of one matcher", "", "", "event on stdin | none"},
		{"budget of one matcher", "../protocol/input.go", "maxNesting = 10_000\n", "nesting of tool_input | 10000 levels"},
		{"files of one call for a script", "../internal/call/paths.go", "maxNames    = 1000 ", "names that the globs of a call expand to | 1000"},
		{"files of one call for a script", "../internal/call/paths.go", "maxResolved = 5000 ", "paths of a call, each in each directory | 5000"},
		{"files of one call for a script", "../internal/shell/pipe.go", "maxPipelines  = 1000 ", "pipelines that begin with one command | 1000"},
		{"files of one call for a script", "../internal/shell/pipe.go", "maxPiped      = 1 << 20 ", "pipelines of a text together | 1048576 bytes"},
		{"files of one call for a script", "../constant.go", "maxFound = 200\n", "text that is appended to a constant reason | 200 bytes"},
		{"", "", "", "environment and arguments of a hook | the system's limit"},
		{"", "../internal/async/slots_unix.go", "maxJobsAtOnce     = 1000 ", "concurrent async hooks of one run | 1000, fewer if descriptors are scarce"},
		{"", "../discovery/list.go", "maxUnknown = 256\n", "untrusted folders that a run examines | 256"},
		{"", "../internal/trust/trust.go", "MaxEntries = 256 ", "entries of a hook's folder for trust | 256"},
		{"", "../internal/trust/trust.go", "MaxSize    = 16 << 20 ", "bytes of a hook's folder for trust | 16777216"},
		{"", "../internal/runlog/runlog.go", "maxLine = 4 << 10 ", "line of the run log | 4096 bytes"},
		{"", "../internal/runlog/runlog.go", "maxFile = 5 << 20 ", "run log | 5242880 bytes"},
		{"", "../plan.go", "maxAlike = 20\n", "warnings about a project's hooks in one run | 20"},
		{"", "../report.go", "maxLogged = 100\n", "hooks of a project that one run logs | 100"},
		{"", "../perform.go", "maxKept = 16 << 20\n", "output of all hooks that a report keeps | 16777216 bytes"},
	}
	covered := map[string]bool{}
	var want []string
	add := func(before string) {
		for _, e := range elsewhere {
			if e.before != before {
				continue
			}
			want = append(want, e.row)
			if e.source == "" {
				continue
			}
			if source, err := os.ReadFile(e.source); err != nil || !strings.Contains(string(source), e.declaration) {
				t.Errorf("%s does not declare %q (%v); check %q", e.source, e.declaration, err, e.row)
			}
		}
	}
	for _, l := range limits {
		if strings.HasPrefix(l.row, "budget of one matcher") {
			add("budget of one matcher")
		}
		if strings.HasPrefix(l.row, "files of one call for a script") {
			add("files of one call for a script")
		}
		covered[l.constant] = true
		want = append(want, l.row)
	}
	add("")
	same(t, "the table in TestTextLimits", "constant", slices.Sorted(maps.Keys(covered)), slices.Sorted(slices.Values(constants(t, "Limits of "))))
	var got []string
	for _, row := range table(t, "Limit | Value | If exceeded") {
		got = append(got, row[:strings.LastIndex(row, " | ")])
	}
	same(t, "SPEC.md", "limit", got, want)
}

func TestTextExitStatuses(t *testing.T) {
	if got := len(constants(t, "Exit statuses")); got != 4 {
		t.Fatalf("%d exit statuses in the code, this test knows 4", got)
	}
	all := []string{strconv.Itoa(ExitContinue), strconv.Itoa(ExitError), strconv.Itoa(ExitBlock), strconv.Itoa(ExitUsage)}
	same(t, "SPEC.md", "runner's status", column(table(t, "Status | run | any other command")), all)
	same(t, "SPEC.md", "hook's status", column(table(t, "Status | Meaning")), []string{all[0], all[2], "any other"})
}

var (
	ruleMark   = regexp.MustCompile(`(?m)^\*\*(\d+)\.(\d+)\*\* `)
	heading    = regexp.MustCompile(`(?m)^## (\d+) `)
	references = regexp.MustCompile(`\b(\d{1,2}\.\d{1,2})\b`)
	sections   = regexp.MustCompile(`[Ss]ection (\d+)`)
	vectors    = regexp.MustCompile(`vector: ([^ |]+)`)
)

// Rules are cited by number, so each number must be in one document, in order,
// the numbers of all documents must be consecutive, and references must lead to
// a rule.
func TestTextNumbers(t *testing.T) {
	rules, headings := map[[2]int]string{}, map[int]bool{}
	for _, name := range DocumentNames() {
		text, _ := Document(name)
		last := [2]int{}
		for _, m := range ruleMark.FindAllStringSubmatch(text, -1) {
			n := number(m[1], m[2])
			if slices.Compare(n[:], last[:]) <= 0 {
				t.Errorf("%s: rule %d.%d follows %d.%d", name, n[0], n[1], last[0], last[1])
			}
			if rules[n] != "" {
				t.Errorf("rule %d.%d is in %s and %s", n[0], n[1], rules[n], name)
			}
			last, rules[n] = n, name
		}
		section := 0
		for _, m := range heading.FindAllStringSubmatch(text, -1) {
			n, _ := strconv.Atoi(m[1])
			if n <= section {
				t.Errorf("%s: section %d follows %d", name, n, section)
			}
			section, headings[n] = n, true
		}
	}
	for n := range rules {
		if n[1] > 1 && rules[[2]int{n[0], n[1] - 1}] == "" {
			t.Errorf("no document has the rule before %d.%d", n[0], n[1])
		}
		if !headings[n[0]] {
			t.Errorf("rule %d.%d is in no section", n[0], n[1])
		}
	}
	for n := range headings {
		if n > 1 && !headings[n-1] {
			t.Errorf("no document has the section before %d", n)
		}
	}
	for _, m := range references.FindAllStringSubmatch(Text(), -1) {
		// 3.11 and 3.14 are also versions of Python.
		if a, b, _ := strings.Cut(m[1], "."); rules[number(a, b)] == "" && m[1] != "3.14" {
			t.Errorf("there is no rule %s", m[1])
		}
	}
	for _, m := range sections.FindAllStringSubmatch(Text(), -1) {
		if n, _ := strconv.Atoi(m[1]); !headings[n] {
			t.Errorf("there is no section %s", m[1])
		}
	}
}

func number(section, rule string) [2]int {
	s, _ := strconv.Atoi(section)
	r, _ := strconv.Atoi(rule)
	return [2]int{s, r}
}

// Each document is a file of this folder, and each such file a document.
func TestDocuments(t *testing.T) {
	var names []string
	files, _ := filepath.Glob("*.md")
	for _, file := range files {
		name := strings.ToLower(strings.TrimSuffix(file, ".md"))
		text, _ := os.ReadFile(file)
		if got, ok := Document(name); !ok || got != string(text) {
			t.Errorf("the document %q is not %s", name, file)
		}
		if _, ok := Schema(name); ok {
			t.Errorf("%q is a document and a schema", name)
		}
		names = append(names, name)
	}
	same(t, "DocumentNames", "document", slices.Sorted(slices.Values(DocumentNames())), names)
}

func TestTextAmbiguities(t *testing.T) {
	rows := table(t, "Line | Reading | Fixed by")
	slug := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, row := range rows {
		m := vectors.FindStringSubmatch(row)
		if m == nil || !slug.MatchString(m[1]) || seen[m[1]] {
			t.Errorf("not a vector, or listed twice: %s", row)
			continue
		}
		seen[m[1]] = true
		if !strings.Contains(row, ".") {
			t.Errorf("no rule is named: %s", row)
		}
	}
	if len(rows) < 20 {
		t.Errorf("%d rows were found", len(rows))
	}
}

// The text must be complete without docs/reference/decisions.md, so it cites no
// decisions.
func TestTextStandsAlone(t *testing.T) {
	if m := regexp.MustCompile(`\bD\d+\b`).FindString(Text()); m != "" {
		t.Errorf("SPEC.md cites %s", m)
	}
}
