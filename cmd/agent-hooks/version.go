package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

type versionFlags struct{ jsonFlag }

type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // of the commit
	Date     string `json:"date,omitempty"`     // of the commit, in RFC 3339
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (flags versionFlags) execute(env *Env, _ []string) (int, error) {
	info := buildVersion()
	if flags.json {
		return spec.ExitContinue, env.printJSON(info)
	}
	line := "agent-hooks " + info.Version
	day, _, _ := strings.Cut(info.Date, "T")
	if commit := strings.TrimSpace(info.Revision + " " + day); commit != "" {
		line += " (" + commit + ")"
	}
	_, err := fmt.Fprintf(env.Stdout, "%s %s %s\n", line, info.Go, info.Platform)
	return spec.ExitContinue, err
}

// buildVersion returns the build information in the binary.
func buildVersion() versionInfo {
	v := versionInfo{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value[:min(12, len(s.Value))]
		case "vcs.time":
			v.Date = s.Value
		}
	}
	return v
}
