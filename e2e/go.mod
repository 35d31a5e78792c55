module github.com/agent-hooks/agent-hooks/e2e

go 1.26.0

require golang.org/x/sys v0.49.0
