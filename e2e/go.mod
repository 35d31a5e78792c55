module github.com/agent-hooks/agent-hooks/e2e

go 1.26.0

require (
	github.com/agent-hooks/agent-hooks v0.0.0
	golang.org/x/sys v0.49.0
)

replace github.com/agent-hooks/agent-hooks => ../
