package protocol

// The functions below let package agent read payloads and write answers by this
// package's rules: keys are exact, all repeated keys are reported, and nothing
// is copied unnecessarily.

// Members calls visit for each member of the JSON object value, in order and
// including repeated keys, until visit returns false. key is decoded; member is
// the value's JSON text. It returns an error if the top level of the object is
// malformed. It does not check the members' values.
func Members(value []byte, visit func(key string, member []byte) bool) error {
	if kindOf(value) != kindObject {
		return errUndecodable
	}
	badKey := false
	err := elements(value, func(keyText, member []byte) bool {
		key := keyName(keyText)
		if badKey = key == nil; badKey {
			return false
		}
		return visit(string(key), member)
	})
	if badKey {
		return errUndecodable
	}
	return err
}

// Elements calls visit for each element of the JSON array value until visit
// returns false. It returns an error if value is not a well-formed array.
func Elements(value []byte, visit func(element []byte) bool) error {
	if kindOf(value) != kindArray {
		return errUndecodable
	}
	return elements(value, func(_, element []byte) bool { return visit(element) })
}

// Text decodes a JSON string; ok is false for any other value.
func Text(value []byte) (s string, ok bool) { return text(value) }

// AppendText appends s as a JSON string. Invalid UTF-8 is replaced.
func AppendText(dst []byte, s string) []byte { return appendQuoted(dst, valid(s)) }

// ValidJSON reports whether raw is exactly one JSON value, of any depth.
func ValidJSON(raw []byte) bool {
	begin := skipSpace(raw, 0)
	w := walker{buf: raw}
	end := w.value(begin)
	return end >= 0 && skipSpace(raw, end) == len(raw)
}
