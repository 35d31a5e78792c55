package protocol

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// echoed reports whether object is the event itself, as e.WriteTo writes it:
// the same JSON value in any formatting. A hook that echoes its input has no
// opinion (D25). e may be nil.
func (e *Event) echoed(object []byte) bool {
	if e == nil || !bytes.Contains(object, []byte(`"event_type"`)) {
		return false
	}
	var b bytes.Buffer
	_, _ = e.WriteTo(&b)
	if bytes.Equal(bytes.TrimSpace(b.Bytes()), object) {
		return true
	}
	var sent, back map[string]any
	return json.Unmarshal(b.Bytes(), &sent) == nil && json.Unmarshal(object, &back) == nil && reflect.DeepEqual(sent, back)
}
