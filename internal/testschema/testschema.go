// Package testschema checks values against JSON Schemas in tests.
package testschema

import (
	"bytes"
	"encoding/json"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Check returns where a decoded value does not match a schema, and the reason; "" if it matches.
func Check(schema []byte, value any) (string, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return "", err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", document); err != nil {
		return "", err
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return "", err
	}
	if err := compiled.Validate(v); err != nil {
		return err.Error(), nil
	}
	return "", nil
}
