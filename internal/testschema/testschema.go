// Package testschema checks values against JSON Schemas in tests. It knows the
// keywords that this repository's schemas use, in draft-07 and 2020-12, and
// fails for any other, so that no keyword is ignored.
package testschema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"unicode/utf8"
)

// Check returns the first place where a decoded value does not match a schema
// and the reason; "" if it matches.
func Check(schema []byte, value any) (string, error) {
	var s any
	if err := json.Unmarshal(schema, &s); err != nil {
		return "", err
	}
	text, err := json.Marshal(value) // numbers become float64
	if err != nil {
		return "", err
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return "", err
	}
	var c checker
	wrong := c.check(s, v, "")
	return wrong, c.err
}

// checker keeps an error in a schema.
type checker struct{ err error }

func (c *checker) check(schema, v any, at string) string {
	if allowed, ok := schema.(bool); ok {
		if allowed {
			return ""
		}
		return at + ": not allowed"
	}
	s, ok := schema.(map[string]any)
	if !ok {
		c.err = fmt.Errorf("%s: %v is not a schema", at, schema)
		return ""
	}
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		if wrong := c.keyword(s, keyword, v, at); wrong != "" {
			return wrong
		}
	}
	return ""
}

func (c *checker) keyword(s map[string]any, keyword string, v any, at string) string {
	object, isObject := v.(map[string]any)
	list, _ := v.([]any)
	text, isText := v.(string)
	number, isNumber := v.(float64)
	wrong := func(ok bool) string {
		if ok {
			return ""
		}
		return fmt.Sprintf("%s: %v does not match %s %v", at, v, keyword, s[keyword])
	}
	limit, _ := s[keyword].(float64)
	switch keyword {
	case "$schema", "$id", "$comment", "title", "description", "default", "format", "then", "$defs", "definitions", "examples":
	case "type":
		types, several := s["type"].([]any)
		if !several {
			types = []any{s["type"]}
		}
		return wrong(slices.ContainsFunc(types, func(t any) bool { return isType(t, v) }))
	case "enum":
		return wrong(slices.ContainsFunc(s["enum"].([]any), func(e any) bool { return reflect.DeepEqual(e, v) }))
	case "const":
		return wrong(reflect.DeepEqual(s["const"], v))
	case "required":
		for _, key := range s["required"].([]any) {
			if _, has := object[key.(string)]; isObject && !has {
				return fmt.Sprintf("%s: no %q", at, key)
			}
		}
	case "properties", "additionalProperties":
		return c.properties(s, keyword, object, at)
	case "items":
		for i, element := range list {
			if wrong := c.check(s["items"], element, fmt.Sprintf("%s[%d]", at, i)); wrong != "" {
				return wrong
			}
		}
	case "pattern":
		return wrong(!isText || regexp.MustCompile(s["pattern"].(string)).MatchString(text))
	case "minLength":
		return wrong(!isText || float64(utf8.RuneCountInString(text)) >= limit)
	case "maxLength":
		return wrong(!isText || float64(utf8.RuneCountInString(text)) <= limit)
	case "minimum":
		return wrong(!isNumber || number >= limit)
	case "maximum":
		return wrong(!isNumber || number <= limit)
	case "not":
		return wrong(c.check(s["not"], v, at) != "")
	case "anyOf":
		return wrong(slices.ContainsFunc(s["anyOf"].([]any), func(any any) bool { return c.check(any, v, at) == "" }))
	case "if":
		if then := s["then"]; then != nil && c.check(s["if"], v, at) == "" {
			return c.check(then, v, at)
		}
	default:
		c.err = fmt.Errorf("%s: unknown keyword %q", at, keyword)
	}
	return ""
}

func (c *checker) properties(s map[string]any, keyword string, object map[string]any, at string) string {
	known, _ := s["properties"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		sub, isKnown := known[key]
		if keyword == "additionalProperties" {
			sub = s[keyword]
		}
		if isKnown == (keyword == "properties") {
			if wrong := c.check(sub, object[key], at+"."+key); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

func isType(name, v any) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	}
	return false
}
