package spec

import (
	"cmp"
	"encoding/json"
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

// table returns the rows of a table with this header, their cells joined by
// " | ", without backquotes: the only one in each of the named documents or, if
// none is named, in all of them together.
func table(t *testing.T, header string, documents ...string) []string {
	t.Helper()
	texts := []string{Text()}
	if len(documents) > 0 {
		texts = nil
	}
	for _, name := range documents {
		text, ok := Document(name)
		if !ok {
			t.Fatalf("there is no document %q", name)
		}
		texts = append(texts, text)
	}
	var rows []string
	for _, text := range texts {
		rows = append(rows, tableIn(t, text, header)...)
	}
	return rows
}

func tableIn(t *testing.T, text, header string) []string {
	t.Helper()
	_, after, ok := strings.Cut(text, "\n| "+header+" |\n|---")
	if !ok || strings.Contains(after, "\n| "+header+" |\n|---") {
		t.Fatalf("not exactly one table %q", header)
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
	want := map[bool][]string{}
	for _, e := range Events() {
		want[e.Extension] = append(want[e.Extension], cells(e.Event, e.Category, e.Timing, e.Blocking, e.Block, e.When))
		if e.Mode != "sync" {
			t.Errorf("%s: mode %s, and 2.4 recommends sync for all events", e.Event, e.Mode)
		}
	}
	const header = "Event | Category | Timing | Blocking | A block means | When"
	same(t, "CORE.md", "event", table(t, header, "core"), want[false])
	same(t, "BINDINGS.md", "event", table(t, header, "bindings"), want[true])
}

// extended are the documents with tables of keys that are not in CORE.md.
var extended = []string{"answers", "reading", "bindings"}

func TestTextFields(t *testing.T) {
	core := table(t, "Key | Type | Required | Default | Range | Meaning", "core")
	var want, more, extensions []string
	for _, f := range Fields() {
		if f.Extension {
			extensions = append(extensions, f.Name)
		}
		if slices.Contains(column(core), f.Name) {
			want = append(want, cells(f.Name, f.Type, f.Required, f.Default, f.Range, f.Description))
		} else {
			more = append(more, cells(f.Name, f.Type, f.Default, f.Range, f.Description))
		}
		if !f.Extension && !slices.Contains(column(core), f.Name) {
			t.Errorf("CORE.md lacks %s, a key of the original format", f.Name)
		}
		if f.Extension && f.Required {
			t.Errorf("%s is an extension that is required", f.Name)
		}
	}
	same(t, "CORE.md", "key", core, want)
	same(t, "an extension", "key", slices.Sorted(slices.Values(table(t, "Key | Type | Default | Range | Meaning", extended...))), slices.Sorted(slices.Values(more)))
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

// TestTextDeciding compares the keys for which a text in place of metadata stops a hook (SPEC.md 4.8a),
// and those that a runner must not ignore (19.1).
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
	same(t, "SPEC.md 4.8a", "key", text, want)

	_, rule, _ = strings.Cut(Text(), "**19.1** An unknown extension MUST NOT weaken a guard. The keys ")
	rule, _, _ = strings.Cut(rule, " of `metadata` change")
	text = nil
	for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(rule, -1) {
		text = append(text, "metadata."+m[1])
	}
	slices.Sort(text)
	same(t, "CORE.md 19.1", "key", text, want)
}

func ms(d time.Duration) int { return int(d / time.Millisecond) }

func TestTextTools(t *testing.T) {
	type names struct {
		Canonical  string   `json:"canonical"`
		ClaudeCode []string `json:"claude_code"`
		Others     []string `json:"others"`
	}
	var want []string
	var all []names
	for _, row := range tools {
		want = append(want, cells(row.canonical, row.claude))
		all = append(all, names{row.canonical, append([]string{}, row.claude...), row.callers})
	}
	same(t, "CORE.md", "tool", table(t, "Canonical | Claude Code"), want)
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	updated(t, "data/tools.json", func(string) string { return string(data) + "\n" })
}

// updated compares a generated file, or a file with a generated part, with the
// one on disk, or writes it with -update.
func updated(t *testing.T, file string, generate func(old string) string) {
	t.Helper()
	old, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	text := generate(string(old))
	if text == string(old) {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the code says; go test ./spec -update, then again", file)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// withTable returns a document with these rows in its table of this header.
func withTable(t *testing.T, text, header string, rows []string) string {
	t.Helper()
	before, rest, ok := strings.Cut(text, "\n| "+header+" |\n")
	if !ok {
		t.Fatalf("no table %q", header)
	}
	rule, rest, _ := strings.Cut(rest, "\n")
	for strings.HasPrefix(rest, "|") {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return before + "\n| " + header + " |\n" + rule + "\n" + strings.Join(rows, "\n") + "\n" + rest
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
	var rows []string
	for _, c := range Codes() {
		rows = append(rows, "| `"+cells(c.Code+"`", c.Severity, !c.Fatal, c.Meaning, c.Fix)+" |")
	}
	updated(t, "DIAGNOSTICS.md", func(old string) string { return withTable(t, old, "Code | Severity | Runs | Meaning | Fix", rows) })
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
	type limit struct{ constant, row, source, declaration string } // a constant of this package, or a declaration in another source
	limits := []struct {
		document string
		rows     []limit
	}{
		{"core", []limit{
			{constant: "StallTimeout", row: fmt.Sprintf("stall of the event on stdin | %d ms", ms(StallTimeout))},
			{constant: "MaxOutput", row: fmt.Sprintf("stdout of a hook | %d bytes plus twice the event", MaxOutput)},
			{constant: "MaxOutput", row: fmt.Sprintf("stderr of a hook | %d bytes", MaxOutput)},
			{constant: "MaxReason", row: fmt.Sprintf("reason | %d bytes", MaxReason)},
			{constant: "MaxDepth", row: fmt.Sprintf("depth of hooks that start agents | %d", MaxDepth)},
			{constant: "KillGrace", row: fmt.Sprintf("grace between SIGTERM and SIGKILL | %d ms", ms(KillGrace))},
			{constant: "PipeGrace", row: fmt.Sprintf("wait for a pipe that outlives its hook | %d ms", ms(PipeGrace))},
		}},
		{"runner", []limit{
			{constant: "MaxAttempts", row: fmt.Sprintf("attempts of a hook with protocol: j-cli together | %d ms", ms(MaxAttempts))},
			{constant: "MaxFrontMatter", row: fmt.Sprintf("front matter | %d bytes", MaxFrontMatter)},
			{constant: "MaxHookFile", row: fmt.Sprintf("HOOK.md | %d bytes", MaxHookFile)},
			{constant: "MaxConfigFile", row: fmt.Sprintf("hooks.toml | %d bytes", MaxConfigFile)},
			{constant: "DefaultStopLimit", row: fmt.Sprintf("default stop-limit | %d", DefaultStopLimit)},
			{constant: "MaxStopLimit", row: fmt.Sprintf("stop-limit | 1 to %d", MaxStopLimit)},
			{row: "nesting of front matter | 64 levels", source: "../manifest/yaml.go", declaration: "maxDepth = 64\n"},
			{row: "values in front matter, aliases counted | 10000", source: "../manifest/yaml.go", declaration: "maxNodes = 10000\n"},
			{row: "hooks of a scope or an event | none"},
			{row: "event on stdin | none"},
			{row: "nesting of tool_input | 10000 levels", source: "../protocol/input.go", declaration: "maxNesting = 10_000\n"},
			{constant: "MatchBudget", row: fmt.Sprintf("budget of one matcher on one event | %d ms", ms(MatchBudget))},
			{constant: "MaxLoad", row: fmt.Sprintf("reading a project's hooks | %d ms, at most half of the deadline", ms(MaxLoad))},
			{constant: "MaxSearched", row: fmt.Sprintf("value that a matcher searches | %d bytes", MaxSearched)},
			{row: "names that the globs of a call expand to | 1000", source: "../internal/reading/paths.go", declaration: "maxNames    = 1000 "},
			{row: "paths of a call, each in each directory | 5000", source: "../internal/reading/paths.go", declaration: "maxResolved = 5000 "},
			{row: "pipelines that begin with one command | 1000", source: "../internal/reading/internal/shell/pipe.go", declaration: "maxPipelines  = 1000 "},
			{row: "pipelines of a text together | 1048576 bytes", source: "../internal/reading/internal/shell/pipe.go", declaration: "maxPiped      = 1 << 20 "},
			{row: "text that is appended to a constant reason | 200 bytes", source: "../constant.go", declaration: "maxFound = 200\n"},
			{constant: "MaxOwn", row: fmt.Sprintf("files and folders of a call that are checked for being the session's own | %d", MaxOwn)},
			{constant: "MaxParts", row: fmt.Sprintf("files of one call for a script that takes one file per call | %d", MaxParts)},
			{constant: "MaxPartBytes", row: fmt.Sprintf("inputs of these files together | %d bytes", MaxPartBytes)},
			{constant: "MaxEnvValue", row: fmt.Sprintf("value of a variable | %d bytes", MaxEnvValue)},
			{constant: "KeptOutput", row: fmt.Sprintf("kept output of an async hook | %d bytes", KeptOutput)},
			{row: "environment and arguments of a hook | the system's limit"},
			{row: "concurrent async hooks of one run | 1000, fewer if descriptors are scarce", source: "../internal/async/slots_unix.go", declaration: "maxJobsAtOnce     = 1000 "},
			{row: "untrusted folders that a run examines | 256", source: "../discovery/list.go", declaration: "maxUnknown = 256\n"},
			{row: "entries of a hook's folder for trust | 256", source: "../internal/trust/trust.go", declaration: "MaxEntries = 256 "},
			{row: "bytes of a hook's folder for trust | 16777216", source: "../internal/trust/trust.go", declaration: "MaxSize    = 16 << 20 "},
			{row: "line of the run log | 4096 bytes", source: "../internal/runlog/runlog.go", declaration: "maxLine = 4 << 10 "},
			{row: "run log | 5242880 bytes", source: "../internal/runlog/runlog.go", declaration: "maxFile = 5 << 20 "},
			{row: "warnings about a project's hooks in one run | 20", source: "../plan.go", declaration: "maxAlike = 20\n"},
			{row: "hooks of a project that one run logs | 100", source: "../report.go", declaration: "maxLogged = 100\n"},
			{row: "output of all hooks that a report keeps | 16777216 bytes", source: "../perform.go", declaration: "maxKept = 16 << 20\n"},
		}},
	}
	covered := map[string]bool{}
	for _, name := range []string{"MaxName", "MaxDescription", "MinTimeout", "MaxTimeout", "DefaultTimeout", "MaxPriority", "DefaultPriority", "MaxRetry"} {
		covered[name] = true // TestFieldRanges compares these with the table of keys
	}
	for _, l := range limits {
		var want, got []string
		for _, row := range l.rows {
			want = append(want, row.row)
			if row.constant != "" {
				covered[row.constant] = true
			}
			if row.source == "" {
				continue
			}
			if source, err := os.ReadFile(row.source); err != nil || !strings.Contains(string(source), row.declaration) {
				t.Errorf("%s does not declare %q (%v); check %q", row.source, row.declaration, err, row.row)
			}
		}
		for _, row := range table(t, "Limit | Value | If exceeded", l.document) {
			got = append(got, row[:strings.LastIndex(row, " | ")])
		}
		same(t, l.document, "limit", got, want)
	}
	same(t, "the table in TestTextLimits", "constant", slices.Sorted(maps.Keys(covered)), slices.Sorted(slices.Values(constants(t, "Limits of "))))
}

func TestTextExitStatuses(t *testing.T) {
	if got := len(constants(t, "Exit statuses")); got != 4 {
		t.Fatalf("%d exit statuses in the code, this test knows 4", got)
	}
	text, _ := Document("core")
	_, answer, _ := strings.Cut(text, "**11.1**")
	hook, _, _ := strings.Cut(answer, "**11.2**")
	_, runner, _ := strings.Cut(text, "**14.1**")
	all := []string{strconv.Itoa(ExitContinue), strconv.Itoa(ExitError), strconv.Itoa(ExitBlock)}
	same(t, "CORE.md 14.1", "runner's status", column(tableIn(t, runner, "Status | Meaning")), all)
	same(t, "CORE.md 11.1", "hook's status", column(tableIn(t, hook, "Status | Meaning")), []string{all[0], all[2], "any other"})
	if !strings.Contains(Text(), fmt.Sprintf("with %d on wrong usage", ExitUsage)) {
		t.Errorf("RUNNER.md 14.1a does not name %d", ExitUsage)
	}
}

var (
	ruleMark   = regexp.MustCompile(`(?m)^\*\*(\d+)\.(\d+)([a-z]?)\*\* `)
	heading    = regexp.MustCompile(`(?m)^## (\d+) (.+)`)
	references = regexp.MustCompile(`\b(\d{1,2})\.(\d{1,2})([a-z]?)\b`)
	sections   = regexp.MustCompile(`[Ss]ection (\d+)`)
	vectors    = regexp.MustCompile(`vector: ([^ |]+)`)
)

// rule is the number of a rule: 3, 12, "" for 3.12.
type rule struct {
	section, number int
	letter          string
}

func (r rule) String() string { return fmt.Sprintf("%d.%d%s", r.section, r.number, r.letter) }

func (r rule) compare(other rule) int {
	return cmp.Or(cmp.Compare(r.section, other.section), cmp.Compare(r.number, other.number), cmp.Compare(r.letter, other.letter))
}

func ruleOf(m []string) rule {
	section, _ := strconv.Atoi(m[1])
	number, _ := strconv.Atoi(m[2])
	return rule{section, number, m[3]}
}

// rulesOf returns the rules of a document, in order.
func rulesOf(name string) (rules []rule) {
	text, _ := Document(name)
	for _, m := range ruleMark.FindAllStringSubmatch(text, -1) {
		rules = append(rules, ruleOf(m))
	}
	return rules
}

// Rules are cited by number, so each number must be in one document, in order,
// the numbers of all documents must be consecutive, and references must lead to
// a rule.
func TestTextNumbers(t *testing.T) {
	where, headings := map[rule]string{}, map[int]bool{}
	for _, name := range DocumentNames() {
		var last rule
		for _, r := range rulesOf(name) {
			if r.compare(last) <= 0 {
				t.Errorf("%s: rule %v follows %v", name, r, last)
			}
			if where[r] != "" {
				t.Errorf("rule %v is in %s and %s", r, where[r], name)
			}
			last, where[r] = r, name
		}
		text, _ := Document(name)
		section := 0
		for _, m := range heading.FindAllStringSubmatch(text, -1) {
			n, _ := strconv.Atoi(m[1])
			if n <= section {
				t.Errorf("%s: section %d follows %d", name, n, section)
			}
			section, headings[n] = n, true
		}
	}
	for r := range where {
		before := rule{r.section, r.number - 1, ""}
		if r.letter != "" {
			before.number = r.number
		}
		if r.number > 1 && where[before] == "" {
			t.Errorf("no document has the rule before %v", r)
		}
		if !headings[r.section] {
			t.Errorf("rule %v is in no section", r)
		}
	}
	for n := range headings {
		if n > 1 && !headings[n-1] {
			t.Errorf("no document has the section before %d", n)
		}
	}
	for _, m := range references.FindAllStringSubmatch(Text(), -1) {
		// 3.11 and 3.14 are also versions of Python, and 1.0 is one of a document.
		if r := ruleOf(m); where[r] == "" && r.number > 0 && m[0] != "3.14" {
			t.Errorf("there is no rule %v", r)
		}
	}
	for _, m := range sections.FindAllStringSubmatch(Text(), -1) {
		if n, _ := strconv.Atoi(m[1]); !headings[n] {
			t.Errorf("there is no section %s", m[1])
		}
	}
}

// TestTextMap writes the table of SPEC.md that says where each rule is.
func TestTextMap(t *testing.T) {
	parts := map[int][]string{}
	titles := map[int]string{}
	for _, name := range DocumentNames() {
		text, _ := Document(name)
		file := strings.ToUpper(name) + ".md"
		for _, m := range heading.FindAllStringSubmatch(text, -1) {
			n, _ := strconv.Atoi(m[1])
			var numbers []string
			for _, r := range rulesOf(name) {
				if r.section == n {
					numbers = append(numbers, r.String())
				}
			}
			if name == "core" || titles[n] == "" {
				titles[n] = m[2]
			}
			link := fmt.Sprintf("[%s](%s#%s)", file, file, anchor(m[1]+" "+m[2]))
			if len(numbers) > 0 {
				link += " " + strings.Join(ranges(numbers), ", ")
			}
			parts[n] = append(parts[n], link)
		}
	}
	var rows []string
	for _, n := range slices.Sorted(maps.Keys(parts)) {
		rows = append(rows, fmt.Sprintf("| %d %s | %s |", n, titles[n], strings.Join(parts[n], "; ")))
	}
	updated(t, "SPEC.md", func(old string) string { return withTable(t, old, "Section | Rules", rows) })
}

// anchor returns the anchor of a heading.
func anchor(heading string) string {
	return strings.ReplaceAll(regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

// ranges joins numbers that follow each other: 3.1, 3.2, 3.3 is "3.1–3.3".
func ranges(numbers []string) (all []string) {
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && follows(numbers[j], numbers[j+1]) {
			j++
		}
		switch j - i {
		case 0:
			all = append(all, numbers[i])
		case 1:
			all = append(all, numbers[i], numbers[j])
		default:
			all = append(all, numbers[i]+"–"+numbers[j])
		}
		i = j + 1
	}
	return all
}

func follows(a, b string) bool {
	m, n := references.FindStringSubmatch(a), references.FindStringSubmatch(b)
	x, y := ruleOf(m), ruleOf(n)
	return x.section == y.section && x.letter == "" && y.letter == "" && y.number == x.number+1
}

// CORE.md is what an agent's author reads.
func TestCoreIsShort(t *testing.T) {
	text, _ := Document("core")
	if words := len(strings.Fields(text)); words > 5000 {
		t.Errorf("CORE.md has %d words", words)
	}
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
