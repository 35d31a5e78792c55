package output

import (
	"io"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

// asJSON is the command's own form, indented.
type asJSON struct{}

func (asJSON) Write(w io.Writer, r *Report) error {
	b, err := term.JSON(r.JSON)
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}
