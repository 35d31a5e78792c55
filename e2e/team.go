package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/e2e/model"
)

// teamStory is a team's year with guards: five accounts, a repository over ssh, two agents.
//
//go:embed team.sh
var teamStory string

// tellTeam runs the story as root in namespaces of its own, in which it makes accounts and an /etc.
func tellTeam(ctx context.Context, cache string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	folder := filepath.Join(cache, "team")
	for _, step := range [][]string{{"rm", "-rf", folder}, {"mkdir", "-p", folder}, {"cp", self, filepath.Join(folder, "e2e")}, {"cp", ourProgram(cache), filepath.Join(folder, "agent-hooks")}} {
		if out, err := exec.CommandContext(ctx, step[0], step[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", step[0], err, out)
		}
	}
	if err := writeSteps(ctx, filepath.Join(folder, "action")); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--ipc", "--uts", "--mount-proc",
		"bash", "-c", teamStory, "team", folder, filepath.Join(cache, "clients"), claudeCode().folder(""), codex().folder(""))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "TERM=dumb"}
	return cmd.Run()
}

// writeSteps writes the scripts of action.yml, in order, but the one that builds the program.
func writeSteps(ctx context.Context, folder string) error {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		return err
	}
	var action struct {
		Runs struct {
			Steps []struct{ Name, Run string }
		}
	}
	if err := errors.Join(yaml.Unmarshal(text, &action), os.Mkdir(folder, 0o755)); err != nil {
		return err
	}
	for i, s := range action.Runs.Steps {
		if s.Run != "" && s.Name != "build agent-hooks" {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(i, "-", s.Name)), []byte(s.Run), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// servicesArgument, as the first argument, makes this program serve the scripted model and the system's log.
const servicesArgument = "team-services"

// serveTeam writes what the system's log gets to a file. A POST of steps to /begin replaces the model's script.
func serveTeam(file string) error {
	log, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o640)
	if err != nil {
		return err
	}
	const socket = "/run/log"
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err == nil {
		err = os.Chmod(socket, 0o666)
	}
	if err != nil {
		return err
	}
	go func() {
		line := make([]byte, 64<<10)
		for {
			n, err := conn.Read(line)
			if err != nil {
				return
			}
			fmt.Fprintf(log, "%s\n", line[:n])
		}
	}()
	requests, err := os.Create(file + ".requests")
	if err != nil {
		return err
	}
	server := &model.Server{Log: requests}
	mux := http.NewServeMux()
	mux.Handle("/", server)
	mux.HandleFunc("POST /begin", func(w http.ResponseWriter, r *http.Request) {
		var script []model.Step
		if err := json.NewDecoder(r.Body).Decode(&script); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		server.Begin(script)
	})
	return http.ListenAndServe(modelAddress, mux)
}
