package history

import (
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/runlog"
)

func TestNewest(t *testing.T) {
	n := Newest{Limit: 3}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		n.Add([]byte(name), runlog.Entry{Hook: name})
	}
	var got []string
	_ = n.Each(func(line []byte, e runlog.Entry) error {
		got = append(got, string(line)+e.Hook)
		return nil
	})
	if strings.Join(got, " ") != "cc dd ee" {
		t.Errorf("got %q", got)
	}
}
