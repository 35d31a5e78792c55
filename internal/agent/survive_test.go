package agent_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// TestRawFieldsSurvive checks that an event has every member of its payload
// (D43): under the same key, or under native_KEY if the name is taken.
func TestRawFieldsSurvive(t *testing.T) {
	t.Parallel()
	for _, a := range agent.All() {
		for _, f := range payloadsOf(t, a) {
			var sent map[string]any
			call, err := a.Decode([]byte(f["payload"]), f["event"])
			if err != nil || len(call.Events) == 0 || json.Unmarshal([]byte(f["payload"]), &sent) != nil {
				continue
			}
			event, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
			var b bytes.Buffer
			if _, err := event.WriteTo(&b); err != nil {
				t.Fatal(err)
			}
			got := decodeObject(t, b.String())
			if repeats([]byte(f["payload"])) != repeats(bytes.TrimSpace(b.Bytes())) {
				t.Errorf("%s: a key is repeated in %.600s", a.Name, b.String())
			}
			for key, value := range sent {
				if !survives(got, key, value) {
					t.Errorf("%s: %s = %v is missing in %.600s", a.Name, key, value, b.String())
				}
			}
			if got["event_type"] != string(call.Events[0]) {
				t.Errorf("%s: event_type = %v", a.Name, got["event_type"])
			}
		}
	}
}

// repeats reports whether an object has a key twice.
func repeats(object []byte) (repeats bool) {
	seen := map[string]bool{}
	_ = rawjson.Members(object, func(key string, _ []byte) bool {
		repeats = repeats || seen[key]
		seen[key] = true
		return true
	})
	return repeats
}

// survives reports whether an object contains a member, possibly renamed. An
// object may have additional members.
func survives(got map[string]any, key string, value any) bool {
	for _, name := range []string{key, "native_" + key} {
		if reflect.DeepEqual(got[name], value) {
			return true
		}
		// JSON in a string may have been decoded.
		if text, ok := value.(string); ok && strings.HasPrefix(text, "{") {
			var object any
			if json.Unmarshal([]byte(text), &object) == nil && survives(got, name, object) {
				return true
			}
		}
		inner, ok := got[name].(map[string]any)
		object, isObject := value.(map[string]any)
		if !ok || !isObject {
			continue
		}
		all := true
		for k, v := range object {
			all = all && survives(inner, k, v)
		}
		if all {
			return true
		}
	}
	return false
}
