package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/e2e/model"
	"github.com/agent-hooks/agent-hooks/tools/svg"
)

// The size of the picture's terminal. A wider one would be hard to read on a small page.
const (
	pictureColumns = 72
	pictureRows    = 21
)

const (
	publish       = "cd web && npm publish"
	publishReason = "publishing is for people: ask the user"
	pictureTitle  = "A guard in Claude Code"
	pictureText   = "A session of Claude Code on a terminal. The user asks it to publish the package. Claude Code tries to run cd web && npm publish. " +
		"The command is not run, and Claude Code shows the reason of hook no-publish: publishing is for people: ask the user. The model then leaves it to the user."
)

// drawPicture draws a session of Claude Code in which a guard blocks a command.
func drawPicture(ctx context.Context, cache string) error {
	c := claudeCode()
	folder := filepath.Join(cache, "runs", c.name, "picture")
	sc := pictured(filepath.Join(folder, "home", "project"))
	s, err := conduct(ctx, newRun(cache, c, sc, folder), sc)
	if err != nil {
		return err
	}
	if fault := words(s.setUpFault(), faultIf(!s.everReached(publishReason), "the model does not learn why")); fault != "" {
		return errors.New(fault)
	}
	var lines []svg.Line
	if err := readJSON(s.screenFile("session"), &lines); err != nil {
		return err
	}
	picture, err := svg.Picture{
		Title: pictureTitle, Description: pictureText,
		Columns: pictureColumns, Lines: lines, Looks: looksOf(lines),
	}.Draw()
	if err != nil {
		return err
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", "images", "session.svg"), picture, 0o644)
}

// pictured returns the session in the picture, with the hook of the README.
func pictured(project string) scenario {
	return scenario{
		name: "picture",
		hooks: []hook{{
			name: "no-publish", trigger: "pre-tool-call", front: "matcher:\n  tool: Shell\n  pattern: npm publish\n",
			script: "echo '" + publishReason + "' >&2\nexit 2",
		}},
		files: map[string]string{
			".claude.json":             interactive(project),
			"project/web/package.json": `{"name": "web", "version": "1.0.0"}`,
		},
		script: []model.Step{
			{Shell: publish},
			{Say: "I may not publish: a hook leaves that to you. When you are ready, run `" + publish + "`."},
		},
		commands: func(r run) []command {
			return []command{r.ours("install", "install", r.name), {
				Name: "session", Dir: project, Timeout: turnTimeout,
				Args: []string{r.programPath(r.cache), "--model", "claude-sonnet-5-5", "--permission-mode", "default"},
				Env:  append(r.env(r), "TERM=xterm-256color", "COLORTERM=truecolor"),
				Terminal: &terminal{Columns: pictureColumns, Rows: pictureRows, Acts: []act{
					{After: "❯", Type: "publish the package"},
					{After: "❯.publish the package", Type: "\r"},
					{After: publish + `\.\W+manual mode on · \? for shortcuts\s*$`}, // the hints have disappeared
				}},
			}}
		},
	}
}

// interactive returns settings with which Claude Code asks nothing before the first prompt, and
// shows no times.
func interactive(project string) string {
	return fmt.Sprintf(`{
	"hasCompletedOnboarding": true, "theme": "dark", "showTurnDuration": false,
	"customApiKeyResponses": {"approved": ["dummy"]}, "projects": {%q: {"hasTrustDialogAccepted": true}}
}`, project)
}

// looksOf returns the looks of the cells' styles.
func looksOf(lines []svg.Line) []svg.Look {
	var looks []svg.Look
	for _, c := range slices.Concat(lines...) {
		if c.Style == "" || slices.ContainsFunc(looks, func(l svg.Look) bool { return l.Style == c.Style }) {
			continue
		}
		color, bold := strings.CutSuffix(c.Style, ";1")
		css := "fill: #" + color
		if bold {
			css += "; font-weight: 600"
		}
		looks = append(looks, svg.Look{Style: c.Style, CSS: css})
	}
	return looks
}
