package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const nodePackage = "node@24"

// prepare installs missing programs in the cache: Node, the clients, and the program under
// test, which is built each time unless one is given.
func prepare(ctx context.Context, cache, program string, list []client) error {
	if err := npmInstall(ctx, filepath.Join(cache, "clients", "node-24"), nodePackage); err != nil {
		return err
	}
	if err := os.Setenv("PATH", nodeFolder(cache)+":"+os.Getenv("PATH")); err != nil { // some packages check which node installs them
		return err
	}
	for _, c := range list {
		if err := npmInstall(ctx, c.folder(cache), c.packages...); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(cache, "bin"), 0o755); err != nil {
		return err
	}
	if program == "" {
		return build(ctx, ourProgram(cache))
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	if err := os.Remove(ourProgram(cache)); err != nil && !errors.Is(err, fs.ErrNotExist) { // it may be running
		return err
	}
	return os.WriteFile(ourProgram(cache), data, 0o755)
}

// npmInstall installs packages once into a separate folder. It writes a marker when the
// installation is complete.
func npmInstall(ctx context.Context, folder string, packages ...string) error {
	marker := filepath.Join(folder, ".installed")
	if readText(marker) == strings.Join(packages, " ") {
		return nil
	}
	fmt.Println("npm install", strings.Join(packages, " "))
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(folder, "package.json"), `{"private": true}`, 0o600); err != nil {
		return err
	}
	args := append([]string{"install", "--no-audit", "--no-fund", "--loglevel=error"}, packages...)
	cmd := exec.CommandContext(ctx, "npm", args...)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm install %s: %w", strings.Join(packages, " "), err)
	}
	return os.WriteFile(marker, []byte(strings.Join(packages, " ")), 0o600)
}

// build compiles the program under test from the parent module.
func build(ctx context.Context, path string) error {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, "./cmd/agent-hooks")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	return cmd.Run()
}

// moduleRoot returns the parent folder of the e2e module, regardless of the current directory
// in it.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/agent-hooks/agent-hooks/e2e").Output()
	if err != nil {
		return "", fmt.Errorf("start e2e in its own folder: %w", err)
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}
