package agent

import (
	"fmt"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Fit adapts a hook's answer to what this agent can apply to the event: a
// changed input is merged with the current one, with native and canonical keys
// in agreement, and an output gets the shape that the agent requires (D43,
// D45). It returns an error if the answer cannot be applied, which is a failure
// of the hook.
func (c *Call) Fit(event *protocol.Event, a protocol.Answer) (protocol.Answer, error) {
	if a.ModifiedInput != nil {
		merged, err := c.merge(event.ToolInput(), a.ModifiedInput, a.WholeInput)
		if err != nil {
			return a, err
		}
		a.ModifiedInput = merged
	}
	if a.UpdatedOutput == nil {
		return a, nil
	}
	output, err := c.fitOutput(a.UpdatedOutput)
	if a.UpdatedOutput = output; err != nil && a.Decision == protocol.Deny {
		a.Reason, err = a.Reason+"; its change of the output is not applied: "+err.Error(), nil
	}
	return a, err
}

func (c *Call) fitOutput(output []byte) ([]byte, error) {
	switch {
	case c.row().Output == nil:
		return nil, fmt.Errorf("%s cannot replace a tool's output on %s", c.Agent.Title, c.row().Name)
	case c.Agent.output != nil:
		return c.Agent.output(c, output)
	}
	return output, nil
}

// claudeOutput converts an output to the shape of the tool's own result: an
// object with at least the same keys. Text replaces the standard output of a
// command.
func claudeOutput(c *Call, value []byte) ([]byte, error) {
	own, _ := c.canonical("tool_output")
	if len(own) == 0 || !isObject(own[0]) {
		return value, nil
	}
	original := latest(own[0])
	if isObject(value) {
		given := valuesOf(latest(value))
		for _, m := range original {
			if given[m.key] == nil {
				return nil, fmt.Errorf("bad answer: updated_output lacks the key %q of the tool's result", clip(m.key))
			}
		}
		return value, nil
	}
	if _, text := rawjson.Text(value); !text || lookup(original, "stdout") == nil {
		return nil, fmt.Errorf("bad answer: updated_output does not have the shape of the tool's result, an object")
	}
	original = assign(original, member{"stdout", value})
	if lookup(original, "stderr") != nil {
		original = assign(original, member{"stderr", []byte(`""`)})
	}
	return objectOf(original), nil
}
