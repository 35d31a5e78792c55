package agenthooks_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/agent-hooks/agent-hooks"

// mayImport is a statement of policy: what each package may import besides
// the standard library. A package that wants more has its boundary in the
// wrong place, or costs every run more than it is worth.
var mayImport = map[string][]string{
	"spec":                              nil,
	"matcher":                           {"internal/rawjson", "internal/reading/passage", "spec", "github.com/dlclark/regexp2", "github.com/dlclark/regexp2/syntax"},
	"protocol":                          {"spec", "internal/rawjson", "internal/shown"},
	"agents":                            {"", "internal/agent", "internal/script"},
	"internal/agent":                    {"spec", "protocol", "internal/rawjson", "internal/script"},
	"internal/script":                   {"internal/shown", "protocol", "spec"},
	"manifest":                          {"spec", "matcher", "internal/advice", "internal/shown", "github.com/adrg/frontmatter", "go.yaml.in/yaml/v3", "golang.org/x/text/unicode/norm", "internal/tree"},
	"discovery":                         {"internal/reading", "spec", "manifest", "matcher", "internal/place", "internal/shown", "golang.org/x/text/unicode/norm", "golang.org/x/sys/unix", "internal/paths"},
	"exec":                              {"spec", "golang.org/x/sys/unix", "golang.org/x/sys/windows", "internal/paths"},
	"internal/async":                    {"spec", "exec", "golang.org/x/sys/unix", "golang.org/x/sys/windows"},
	"internal/author/cases":             {"internal/author/explain", "internal/rawjson", "internal/shown", "internal/agent", "", "spec", "matcher", "protocol", "manifest", "discovery", "exec", "internal/author/trial", "testdata/events", "go.yaml.in/yaml/v3", "internal/tree", "internal/paths"},
	"internal/config":                   {"matcher", "internal/shown", "spec", "manifest", "discovery", "golang.org/x/text/unicode/norm", "internal/tree", "internal/paths"},
	"internal/setup/importer":           {"protocol", "spec", "internal/agent", "matcher", "manifest", "internal/setup/install", "internal/setup/settings", "internal/shown", "mvdan.cc/sh/v3/syntax", "internal/paths", "internal/state", "internal/tree"},
	"internal/setup/install":            {"internal/script", "internal/reading", "internal/runlog", "spec", "internal/agent", "protocol", "internal/setup/settings", "golang.org/x/sys/windows", "internal/place", "internal/paths", "internal/state", "internal/shown"},
	"internal/advice":                   {"internal/rawjson", "internal/shown", "spec", "matcher"},
	"internal/environ":                  {"internal/place", "internal/shown", "golang.org/x/sys/windows", "internal/paths"},
	"internal/judge":                    {"internal/rawjson", "internal/term", "protocol", "spec"},
	"internal/reading":                  {"internal/rawjson", "internal/reading/internal/program", "internal/reading/internal/shell", "internal/shown", "internal/reading/passage", "spec", "internal/paths"},
	"internal/reading/passage":          {},
	"internal/paths":                    {"golang.org/x/sys/windows", "internal/shown"},
	"internal/state":                    {"internal/shown", "golang.org/x/sys/unix", "golang.org/x/sys/windows", "internal/paths"},
	"internal/pack":                     {"discovery", "exec", "internal/config", "internal/shown", "internal/trust", "manifest", "spec", "github.com/BurntSushi/toml", "golang.org/x/sys/unix", "golang.org/x/text/unicode/norm", "internal/paths", "internal/state", "internal/tree"},
	"internal/own":                      {"internal/paths", "spec", "golang.org/x/sys/unix", "golang.org/x/sys/windows"},
	"internal/place":                    {"protocol", "internal/shown", "github.com/adrg/xdg", "golang.org/x/sys/windows", "internal/paths"},
	"internal/rawjson":                  nil,
	"internal/resident":                 {"internal/script", "exec", "internal/rpc", "internal/shown", "protocol", "spec", "internal/paths", "internal/state"},
	"internal/rpc":                      {"internal/rawjson", "internal/shown"},
	"internal/runlog":                   {"discovery", "internal/shown", "golang.org/x/sys/unix", "golang.org/x/sys/windows", "internal/paths", "internal/state", "internal/tree"},
	"internal/trust":                    {"github.com/rogpeppe/go-internal/diff", "internal/place", "internal/shown", "spec", "discovery", "manifest", "golang.org/x/sys/unix", "golang.org/x/sys/windows", "internal/paths", "internal/state"},
	"":                                  {"internal/async", "internal/environ", "internal/own", "internal/reading", "internal/place", "internal/rawjson", "internal/resident", "internal/shown", "spec", "matcher", "protocol", "internal/script", "manifest", "discovery", "exec", "internal/config", "internal/runlog", "internal/trust", "internal/paths", "internal/state"},
	"cmd/agent-hooks":                   {"agents", "manifest", "internal/place", "internal/rawjson", "internal/author/past", "internal/serve", "internal/watch", "", "spec", "protocol", "internal/agent", "internal/pack", "discovery", "internal/author/cases", "internal/author/output", "examples", "internal/config", "internal/author/explain", "internal/judge", "internal/setup/importer", "internal/setup/install", "internal/advice", "internal/runlog", "internal/author/scaffold", "internal/reading", "internal/zone", "internal/author/suite", "internal/author/trial", "internal/trust", "testdata/events", "internal/term", "golang.org/x/text/unicode/norm", "golang.org/x/sys/unix", "golang.org/x/sys/windows", "internal/paths", "internal/state", "internal/shown"},
	"internal/author/scaffold":          {"internal/state", "internal/shown", "spec", "discovery", "matcher", "manifest", "internal/advice", "internal/paths", "internal/tree"},
	"internal/author/output":            {"internal/term", "spec"},
	"internal/author/suite":             {"discovery", "spec", "internal/author/cases", "internal/author/output", "internal/term", "internal/paths", "internal/place", "internal/shown", "internal/watch"},
	"internal/author/explain":           {"", "internal/reading", "spec", "manifest", "discovery", "matcher", "internal/advice", "internal/term", "internal/tree"},
	"internal/author/trial":             {"internal/state", "agents", "", "discovery", "protocol", "internal/rawjson", "internal/paths"},
	"internal/serve":                    {"", "agents", "internal/agent", "discovery", "internal/author/explain", "internal/paths", "internal/rawjson", "internal/rpc", "internal/shown", "internal/state", "internal/watch", "protocol", "spec", "internal/tree"},
	"internal/setup/settings":           {"internal/tree"},
	"internal/reading/internal/parse":   {"mvdan.cc/sh/v3/syntax"},
	"internal/reading/internal/program": {"spec"},
	"internal/reading/internal/shell":   {"internal/reading/internal/parse", "internal/reading/internal/program", "mvdan.cc/sh/v3/syntax", "spec"},
	"internal/author/past":              {"internal/rawjson", "internal/term", "", "internal/agent", "discovery", "internal/shown", "protocol", "spec", "internal/author/trial", "internal/paths"},
	"internal/shown":                    {"spec"},
	"internal/watch":                    {"spec", "matcher", "discovery", "internal/shown", "github.com/fsnotify/fsnotify", "internal/paths"},
	"internal/term":                     {"internal/shown", "golang.org/x/sys/windows", "golang.org/x/term", "golang.org/x/text/width"},
	"internal/tree":                     {"github.com/BurntSushi/toml", "github.com/pelletier/go-toml/v2/unstable", "github.com/tailscale/hujson", "go.yaml.in/yaml/v3", "internal/rawjson", "internal/shown"},
	"internal/zone":                     nil,
	"examples":                          {"internal/state", "manifest"},
	"testdata/events":                   {"spec"},
	"internal/testtree":                 {"internal/paths"},
	"internal/testschema":               {"github.com/santhosh-tekuri/jsonschema/v6"},

	// It has only tests.
	"packaging": nil,

	// Only tests import it.
	"internal/testenv": {"golang.org/x/sys/unix"},
}

// notOnRunsPath are packages of the standard library whose initialization would
// slow every run.
var notOnRunsPath = []string{"net/http", "text/template", "html/template", "regexp", "go/ast", "crypto/tls"}

type listedPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func TestImportGraph(t *testing.T) {
	used := map[string][]string{}
	for _, goos := range []string{"linux", "windows", "darwin"} {
		for _, p := range append(goList(t, goos, "./..."), goList(t, goos, "./testdata/events")...) {
			name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
			allowed, known := mayImport[name]
			if !known {
				t.Errorf("%s: package %q is in no row of the policy", goos, name)
			}
			used[name] = append(used[name], name)
			for _, imported := range p.Imports {
				short := strings.TrimPrefix(strings.TrimPrefix(imported, module), "/")
				used[name] = append(used[name], short)
				if !isStandard(imported) && !slices.Contains(allowed, short) {
					t.Errorf("%s: %q must not import %s", goos, name, imported)
				}
			}
		}
	}
	for name, allowed := range mayImport {
		for _, one := range append(allowed, name) {
			if !slices.Contains(used[name], one) {
				t.Errorf("%q does not import %s, which the policy allows", name, one)
			}
		}
	}
}

// TestInitializers checks that the initializer of an if or switch only declares: what
// changes something is a statement before it.
func TestInitializers(t *testing.T) {
	check := func(files *token.FileSet, init ast.Stmt) {
		if s, ok := init.(*ast.AssignStmt); init != nil && !(ok && s.Tok == token.DEFINE) {
			t.Errorf("%s: the initializer changes something", files.Position(init.Pos()))
		}
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "testdata", "tools", "e2e", "npm"}, d.Name()):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				check(files, n.Init)
			case *ast.SwitchStmt:
				check(files, n.Init)
			case *ast.TypeSwitchStmt:
				check(files, n.Init)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestGroups checks that the engine imports neither setup nor author, and that
// these two do not import each other. The server explains what it did.
func TestGroups(t *testing.T) {
	group := func(name string) string {
		for _, g := range []string{"setup", "author"} {
			if strings.HasPrefix(name, "internal/"+g+"/") {
				return g
			}
		}
		return "engine"
	}
	above := []string{"cmd/agent-hooks", "examples"}
	for name, allowed := range mayImport {
		if slices.Contains(above, name) {
			continue
		}
		for _, one := range allowed {
			if group(one) != "engine" && group(one) != group(name) && !(name == "internal/serve" && one == "internal/author/explain") {
				t.Errorf("%s (%s) imports %s (%s)", name, group(name), one, group(one))
			}
		}
	}
}

// TestEngineHasNoAgent checks that the engine is the same for every agent: what it
// needs to know about one is a value from package agents.
func TestEngineHasNoAgent(t *testing.T) {
	for _, p := range goList(t, "linux", ".") {
		if slices.Contains(p.Deps, module+"/internal/agent") {
			t.Error("the root package imports internal/agent")
		}
	}
}

func TestRunsPathStaysLean(t *testing.T) {
	for _, p := range goList(t, "linux", "./cmd/agent-hooks") {
		for _, heavy := range notOnRunsPath {
			if slices.Contains(p.Deps, heavy) && !slices.Contains(broughtAlong, heavy) {
				t.Errorf("%s is linked into the command", heavy)
			}
		}
	}
}

// broughtAlong are those of notOnRunsPath that a required module imports.
var broughtAlong = []string{"regexp"}

func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// needsGo skips a test on a machine to which only its binary was copied.
func needsGo(t *testing.T) {
	t.Helper()
	if _, err := osexec.LookPath("go"); err != nil {
		t.Skip("no go")
	}
}

func goList(t *testing.T, goos, pattern string) []listedPackage {
	t.Helper()
	needsGo(t)
	cmd := osexec.Command("go", "list", "-json=ImportPath,Imports,Deps", pattern)
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []listedPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}
