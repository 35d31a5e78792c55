package packaging

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestWorkflows checks that no workflow has a secret, which could be stolen: the only token is the one
// that a job gets for its own time, and registries know the workflow by its identity.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	token := regexp.MustCompile(`(?i)\bsecrets\b|\w*(token|password|api_?key)\w*`)
	allowed := map[string]bool{"github.token": true, "GITHUB_TOKEN": true, "GH_TOKEN": true, "id-token": true, "token": true}
	for _, file := range append(files, "../action.yml", "../.goreleaser.yaml", "../.ci/release") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			line, _, _ = strings.Cut(line, "#")
			for _, word := range token.FindAllString(line, -1) {
				if !allowed[word] || word == "token" && !strings.Contains(line, "github.token") && !strings.Contains(line, "id-token") {
					t.Errorf("%s:%d names %s", file, i+1, word)
				}
			}
		}
	}

	var release struct {
		Jobs struct {
			Publish struct {
				Permissions map[string]string
				Steps       []struct {
					Uses, Run string
					With      map[string]any
				}
			}
		}
	}
	text, err := os.ReadFile("../.github/workflows/release.yml")
	if err == nil {
		err = yaml.Unmarshal(text, &release)
	}
	if err != nil {
		t.Fatal(err)
	}
	publish := release.Jobs.Publish
	if publish.Permissions["id-token"] != "write" {
		t.Error("the job that publishes has no identity")
	}
	node, npm := 0, false
	for _, s := range publish.Steps {
		if strings.HasPrefix(s.Uses, "actions/setup-node@") {
			node, _ = s.With["node-version"].(int)
		}
		npm = npm || strings.Contains(s.Run, "npm publish")
	}
	if !npm || node < 24 {
		t.Errorf("npm publish: %v, with Node %d: trusted publishing needs npm 11.5.1, which comes with Node 24", npm, node)
	}
}
