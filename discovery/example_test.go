package discovery_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

// exampleProject creates a project with a hook and a subfolder.
func exampleProject() (project string, remove func()) {
	project, err := os.MkdirTemp("", "project")
	if err != nil {
		log.Fatal(err)
	}
	scripts := filepath.Join(project, ".agents", "hooks", "guard", "scripts")
	for _, dir := range []string{scripts, filepath.Join(project, ".git"), filepath.Join(project, "sub")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			log.Fatal(err)
		}
	}
	front := "---\nname: guard\ndescription: Stops everything.\ntrigger: pre-tool-call\n---\n"
	for name, text := range map[string]string{"HOOK.md": front, "scripts/run": "#!/bin/sh\nexit 2\n"} {
		if err := os.WriteFile(filepath.Join(scripts, "..", name), []byte(text), 0o755); err != nil {
			log.Fatal(err)
		}
	}
	return project, func() { os.RemoveAll(project) }
}

func ExampleRead() {
	dir, remove := exampleProject()
	defer remove()
	found := discovery.Read(discovery.Dirs{Project: filepath.Join(dir, ".agents", "hooks")}, discovery.Limits{})
	for _, hook := range found.Table(os.Getenv("PATH"), nil)[spec.PreToolCall] {
		fmt.Println(hook.Name, hook.Scope, hook.State)
	}
	fmt.Println(len(found.Diagnostics))
	// Output:
	// guard project active
	// 0
}
