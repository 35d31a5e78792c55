package agenthooks_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

// TestDecisionsExist checks that each decision that a file cites is in
// docs/reference/decisions.md.
func TestDecisionsExist(t *testing.T) {
	decided := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\*\*(D\d+)\. `).FindAllStringSubmatch(read(t, "docs/reference/decisions.md"), -1) {
		if decided[m[1]] {
			t.Errorf("docs/reference/decisions.md has %s twice", m[1])
		}
		decided[m[1]] = true
	}
	cited := regexp.MustCompile(`[(, ](D[1-9]\d{0,2})\b`)
	walk(t, func(path string) {
		for _, m := range cited.FindAllStringSubmatch(read(t, path), -1) {
			if !decided[m[1]] {
				t.Errorf("%s cites %s, which is not in docs/reference/decisions.md", path, m[1])
			}
		}
	}, ".go", ".md")
}

// TestSectionsExist checks that the specification has each section that a file
// cites: "SPEC.md 11.3" in one of its documents, "READING.md 6.12" in this one.
func TestSectionsExist(t *testing.T) {
	var files []string
	for _, name := range spec.DocumentNames() {
		files = append(files, strings.ToUpper(name))
	}
	cited := regexp.MustCompile(`(` + strings.Join(files, "|") + `)\.md[\s/]+(\d+)(\.\d+)?\b`)
	bare := regexp.MustCompile(`//[^\n]*\((\d{1,2}\.\d{1,2}[a-z]?)\)`)
	walk(t, func(path string) {
		for _, m := range bare.FindAllStringSubmatch(read(t, path), -1) {
			if !strings.Contains(spec.Text(), "\n**"+m[1]+"**") {
				t.Errorf("%s cites %s, which no document has", path, m[1])
			}
		}
	}, ".go")
	walk(t, func(path string) {
		for _, m := range cited.FindAllStringSubmatch(read(t, path), -1) {
			text, _ := spec.Document(strings.ToLower(m[1]))
			if m[1] == "SPEC" {
				text = spec.Text()
			}
			section := "\n## " + m[2] + " "
			if m[3] != "" {
				section = "\n**" + m[2] + m[3] + "**"
			}
			if !strings.Contains(text, section) {
				t.Errorf("%s cites %s.md %s%s, which does not exist", path, m[1], m[2], m[3])
			}
		}
	}, ".go", ".md")
}

// TestReadme checks that README.md stays short: a person decides on its first screen.
func TestReadme(t *testing.T) {
	if n := len(strings.Fields(read(t, "README.md"))); n > 700 {
		t.Errorf("README.md has %d words, want at most 700", n)
	}
}

// TestIndex checks that docs/README.md leads to each page.
func TestIndex(t *testing.T) {
	index := read(t, "docs/README.md")
	walk(t, func(path string) {
		if name, in := strings.CutPrefix(filepath.ToSlash(path), "docs/"); in && name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md does not lead to %s", name)
		}
	}, ".md")
}

// TestLinks checks that each relative link in a document leads to a file, and
// each link to a heading to an existing one.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)]*)\)`)
	fenced := regexp.MustCompile("(?ms)\\A---\n.*?^---$|^```.*?^```") // and front matter
	walk(t, func(path string) {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, path), ""), -1) {
			file, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			if file = filepath.Join(filepath.Dir(path), file); strings.HasPrefix(m[1], "#") {
				file = path
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %v", path, err)
			} else if heading != "" && !headings(read(t, file))[heading] {
				t.Errorf("%s: %s has no heading %q", path, file, heading)
			}
		}
	}, ".md")
}

// TestExplainedOnce checks that what a page says about these options leads to
// the one place that explains them: README.md and the pages in docs that name
// one in a sentence or a list have a link to it.
func TestExplainedOnce(t *testing.T) {
	homes := map[string]string{
		"--require-trust": "start.md#hooks-of-a-project",
		"on-failure: ":    "debugging.md#when-a-guard-does-not-run",
		"`unless":         "debugging.md#it-blocks-too-much",
	}
	fenced := regexp.MustCompile("(?ms)^```.*?^```")
	walk(t, func(path string) {
		slashed := filepath.ToSlash(path)
		if !strings.HasPrefix(slashed, "docs/") && slashed != "README.md" && slashed != "examples/README.md" || strings.HasPrefix(slashed, "docs/reference/") {
			return
		}
		prose := fenced.ReplaceAllString(read(t, path), "")
		for words, home := range homes {
			page, _, _ := strings.Cut(home, "#")
			if strings.Contains(prose, words) && !strings.Contains(prose, home) && slashed != "docs/"+page {
				t.Errorf("%s names %q without a link to %s", path, words, home)
			}
		}
	}, ".md")
}

// headings returns the anchors of a document's headings.
func headings(text string) map[string]bool {
	anchors := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		anchors[strings.Map(func(r rune) rune {
			if r == ' ' {
				return '-'
			} else if r == '-' || r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
				return r
			}
			return -1
		}, strings.ToLower(m[1]))] = true
	}
	return anchors
}

// walk calls f with each of the repository's files that has one of the suffixes.
func walk(t *testing.T, f func(path string), suffixes ...string) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "testdata" || path != "." && strings.HasPrefix(d.Name(), ".git")) {
			return fs.SkipDir
		}
		for _, suffix := range suffixes {
			if err == nil && strings.HasSuffix(path, suffix) {
				f(path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestGoInstall checks that "go install MODULE/cmd/agent-hooks@latest" works: it refuses a module
// whose go.mod has directives that apply only to a main module.
func TestGoInstall(t *testing.T) {
	if got := regexp.MustCompile(`(?m)^\s*(replace|exclude)\b.*`).FindString(read(t, "go.mod")); got != "" {
		t.Errorf("go.mod has %q", got)
	}
}
