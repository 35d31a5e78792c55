package agenthooks_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"text/template"
)

var update = flag.Bool("update", false, "rewrite the texts about installing")

// publishedTexts are the templates in docs/templates, and the documents that they give; the README
// contains its text between two marks.
var publishedTexts = map[string]string{"readme.md.tmpl": "README.md", "install.md.tmpl": "docs/install.md", "team.md.tmpl": "docs/team.md"}

const (
	installBegin = "<!-- docs/templates/readme.md.tmpl -->\n"
	installEnd   = "<!-- end -->\n"
)

// TestPublishedTexts checks that the texts about installing are those of docs/templates in the state
// that docs/published has: "no", or "yes" from the first release on. With -update it writes them.
func TestPublishedTexts(t *testing.T) {
	state := strings.TrimSpace(read(t, "docs/published"))
	if state != "yes" && state != "no" {
		t.Fatalf("docs/published is %q, want yes or no", state)
	}
	for name, path := range publishedTexts {
		want := render(t, name, state == "yes")
		old, _ := os.ReadFile(path)
		if path == "README.md" {
			before, rest, _ := strings.Cut(string(old), installBegin)
			_, after, found := strings.Cut(rest, installEnd)
			if !found {
				t.Fatal("README.md lacks the marks around its section about installing")
			}
			want = before + installBegin + want + installEnd + after
		}
		if string(old) == want {
			continue
		}
		if !*update {
			t.Errorf("%s is not what docs/templates/%s gives: go test . -run TestPublishedTexts -update", path, name)
		} else if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// render returns a text in one of the two states.
func render(t *testing.T, name string, published bool) string {
	t.Helper()
	module := regexp.MustCompile(`(?m)^module (\S+)$`).FindStringSubmatch(read(t, "go.mod"))[1]
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))[1]
	tmpl, err := template.ParseFiles(filepath.Join("docs", "templates", name))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	data := struct {
		Published  bool
		Module, Go string
	}{published, module, version}
	if err := tmpl.Execute(&b, data); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fromAPlace matches a command that works only after something was published.
var fromAPlace = regexp.MustCompile(`brew (?:install|upgrade)|scoop (?:bucket|install)|npx agent-hooks|npm install -g agent-hooks|@latest|/releases\b|uses: agent-hooks/|marketplace add agent-hooks/|rev: v\d`)

// TestNothingClaimsToBePublished checks that documents name a published package only in the published
// state of the templates.
func TestNothingClaimsToBePublished(t *testing.T) {
	for name := range publishedTexts {
		if found := fromAPlace.FindString(render(t, name, false)); found != "" {
			t.Errorf("%s, unpublished, has %q", name, found)
		}
		if !fromAPlace.MatchString(render(t, name, true)) {
			t.Errorf("%s, published, names nothing that is published", name)
		}
	}
	if strings.TrimSpace(read(t, "docs/published")) == "yes" {
		return
	}
	documents, _ := filepath.Glob("docs/*.md")
	for _, path := range append(documents, "README.md", "SECURITY.md", "CONTRIBUTING.md") {
		if found := fromAPlace.FindString(read(t, path)); found != "" {
			t.Errorf("%s has %q, but nothing is published", path, found)
		}
	}
}

// TestInstallCommands checks the names in the commands of both states against those that the release
// builds.
func TestInstallCommands(t *testing.T) {
	var texts string
	for name := range publishedTexts {
		texts += render(t, name, true) + render(t, name, false)
	}
	module := regexp.MustCompile(`(?m)^module (\S+)$`).FindStringSubmatch(read(t, "go.mod"))[1]
	owner, name := filepath.Base(filepath.Dir(module)), filepath.Base(module)
	wants := []struct{ expr, want string }{
		{`go install (\S+)@latest`, module + "/cmd/agent-hooks"},
		{`go install (\./\S+?)[` + "`" + `\s]`, "./cmd/agent-hooks"},
		{`git clone (\S+)`, "https://" + module},
		{`uses: (\S+)@`, owner + "/" + name},
		{`repo: (\S+)`, "https://" + module},
		{`marketplace add (\w\S+)`, owner + "/" + name},
		{`plugin (?:install|add|uninstall|remove) (\S+?)[` + "`" + `\s]`, marketplaceName(t) + "@" + marketplaceName(t)},
	}
	for _, id := range regexp.MustCompile(`(?m)^- id: (\S+)$`).FindAllStringSubmatch(read(t, ".pre-commit-hooks.yaml"), -1) {
		if strings.Count(texts, "id: "+id[1]) == 0 || strings.Count(texts, "`"+id[1]+"`") == 0 {
			t.Errorf("the texts do not name the hook %s in both states", id[1])
		}
	}
	release := read(t, ".goreleaser.yaml")
	repository := func(kind string) string {
		m := regexp.MustCompile(`(?s)\n` + kind + `:.*?owner: (\S+)\n\s+name: (\S+)`).FindStringSubmatch(release)
		return m[1] + "/" + m[2]
	}
	project := regexp.MustCompile(`(?m)^project_name: (\S+)$`).FindStringSubmatch(release)[1]
	wants = append(wants, []struct{ expr, want string }{
		{`brew install (\S+?)[` + "`" + `\s]`, strings.Replace(repository("brews"), "/homebrew-", "/", 1) + "/" + project},
		{`scoop bucket add \S+ https://github.com/(\S+?)` + "`", repository("scoops")},
		{`scoop install (\S+?)` + "`", project},
		{`DIR/(?:archives|packages)/(\w+-\w+)_`, project},
		{`(?:apt|dnf) remove (\S+?)` + "`", project},
		{`npm (?:install|update|uninstall) -g (\w\S+?)[` + "`" + `\s]`, npmName(t)},
		{`npx (\w+-\w+)`, npmName(t)},
	}...)
	for _, w := range wants {
		found := regexp.MustCompile(w.expr).FindAllStringSubmatch(texts, -1)
		if len(found) == 0 {
			t.Errorf("no text matches %s", w.expr)
		}
		for _, m := range found {
			if m[1] != w.want && !strings.HasPrefix(m[1], "DIR/") {
				t.Errorf("%q: the name is %s", m[0], w.want)
			}
		}
	}
}

func npmName(t *testing.T) string {
	return regexp.MustCompile(`(?m)^\s+name: "(agent-hooks[^"]*)"`).FindStringSubmatch(read(t, "npm/pack.mjs"))[1]
}

func marketplaceName(t *testing.T) string {
	return regexp.MustCompile(`(?m)^  "name": "([^"]+)"`).FindStringSubmatch(read(t, ".claude-plugin/marketplace.json"))[1]
}
