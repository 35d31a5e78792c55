package install

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// TestNoNames checks that neither this package nor the importer contains the name of an agent:
// what only one agent needs is in its file in package agent. Comments may cite agents.
func TestNoNames(t *testing.T) {
	var names []string
	for _, a := range agent.All() {
		names = append(append(names, a.Name, strings.ReplaceAll(a.Name, "-", "")), a.Aliases...)
		names = append(names, strings.Fields(a.Title)[0])
	}
	general := []string{"settings.json", "settings-json", "the", "github"} // words of titles and files
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(general, strings.ToLower(name)) })
	for i, name := range names {
		names[i] = regexp.QuoteMeta(name)
	}
	name := regexp.MustCompile(`(?i)(^|[^a-z])(` + strings.Join(names, "|") + `)([^a-z]|$)`)
	words := regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
	for _, pattern := range []string{"*.go", "../importer/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			positions := token.NewFileSet()
			file, err := parser.ParseFile(positions, path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				text := ""
				switch n := n.(type) {
				case *ast.ImportSpec:
					return false
				case *ast.Ident:
					text = strings.Join(words.FindAllString(n.Name, -1), " ")
				case *ast.BasicLit:
					text = n.Value
				}
				if found := name.FindStringSubmatch(text); found != nil {
					t.Errorf("%s: the name of an agent, %s, in %s", positions.Position(n.Pos()), found[2], text)
				}
				return true
			})
		}
	}
}
