package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// plain interprets a plain scalar by the core schema of YAML 1.2, in which yes, no and dates are
// strings, and returns it as JSON. problem is "", or explains why the scalar is ambiguous.
func plain(s string) (k kind, token, problem string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return null, "null", ""
	case "true", "True", "TRUE":
		return boolean, "true", ""
	case "false", "False", "FALSE":
		return boolean, "false", ""
	}
	if json.Valid([]byte(s)) {
		return number, s, ""
	}
	if isOddNumber(strings.ToLower(s)) {
		problem = fmt.Sprintf("%s is a number that JSON writes in another way; write it so, or in quotes", s)
	}
	return text, tree.JSON(s), problem
}

// isOddNumber reports whether YAML reads s, in lower case, as a number.
func isOddNumber(s string) bool {
	switch {
	case strings.TrimLeft(s, "+-") == ".inf", s == ".nan":
		return true
	case strings.HasPrefix(s, "0x"), strings.HasPrefix(s, "0o"):
		return isNumber(strconv.ParseUint(s, 0, 64))
	}
	return strings.Trim(s, "0123456789.e+-") == "" && isNumber(strconv.ParseFloat(s, 64))
}

// isNumber reports whether a text was parsed as a number, even if the number is too large.
func isNumber[N any](_ N, err error) bool { return !errors.Is(err, strconv.ErrSyntax) }
