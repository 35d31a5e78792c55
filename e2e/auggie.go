package main

import "fmt"

func auggie() client {
	return client{
		name: "auggie", packages: []string{"@augmentcode/auggie@0.36.0"}, program: "auggie",
		hookFile: ".augment/settings.json",
		means:    auggieMeans(),
		untried:  map[string]string{"the account's server decides whether the client runs hooks": "needs the agent's server"},
		files:    func(run) map[string]string { return map[string]string{".augment/settings.json": "{}\n"} },
		env: func(run) []string {
			return []string{`AUGMENT_SESSION_AUTH={"accessToken": "dummy", "tenantURL": "` + modelURL + `/", "scopes": ["email"]}`, "AUGMENT_DISABLE_AUTO_UPDATE=1"}
		},
		modes: map[string][]string{autoMode: {}},
		args: func(r run, t turn) []string {
			args := []string{"--print"}
			if !r.grant {
				args = append(args, "--permission", "launch-process:ask-user")
			}
			if t.goesOn {
				args = append(args, "--continue")
			}
			return append(args, t.prompt)
		},
		raw: func(_ run, event, command string) string {
			return fmt.Sprintf(`{"hooks": {%q: [{"hooks": [{"type": "command", "command": %q}]}]}}`, event, command)
		},
	}
}

func auggieMeans() []means {
	return []means{
		{does: "an empty list of hooks in the user's settings", before: `echo '{"hooks": {"PreToolUse": []}}' > ~/.augment/settings.json`},
		{does: "an empty list of hooks in the project's settings", before: `mkdir .augment && echo '{"hooks": {"PreToolUse": []}}' > .augment/settings.json`},
		{does: "`--augment-cache-dir`", args: []string{"--augment-cache-dir", "/tmp/augment"}},
		{does: "an own entry that changes the call", way: changed, change: true, before: changeWhole + `echo '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "'"$HOME"'/change.sh"}]}]}}' > ~/.augment/settings.json`},
	}
}
