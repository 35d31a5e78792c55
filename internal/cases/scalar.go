package cases

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// plain interprets a plain scalar by the core schema of YAML 1.2 and returns it as JSON. In
// this schema yes, no and dates are strings. problem is "", or explains why the scalar is
// ambiguous.
func plain(s string) (k kind, token, problem string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return null, "null", ""
	case "true", "True", "TRUE":
		return boolean, "true", ""
	case "false", "False", "FALSE":
		return boolean, "false", ""
	}
	sign, digits := "", s
	if s[0] == '-' || s[0] == '+' {
		sign, digits = strings.TrimPrefix(s[:1], "+"), s[1:]
	}
	switch low := strings.ToLower(digits); {
	case low == ".inf" || s == ".nan" || s == ".NaN" || s == ".NAN":
		problem = "%s is a number that JSON does not have; quotes make it a string"
	case digits == s && (strings.HasPrefix(low, "0x") || strings.HasPrefix(low, "0o")) && isNumber(strconv.ParseUint(low, 0, 64)):
		problem = "%s is a number in YAML but not in JSON; write it with the digits 0-9, or in quotes"
	case strings.Trim(s, "0123456789.eE+-") != "" || !isNumber(strconv.ParseFloat(s, 64)):
		return text, quote(s), ""
	case len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9':
		problem = "%s is a number with a leading zero, which not all readers interpret alike; remove the zero, or quote the number"
	}
	if problem != "" {
		return text, quote(s), fmt.Sprintf(problem, s)
	}
	if whole, rest, point := strings.Cut(digits, "."); point { // JSON requires digits around it
		if rest == "" || rest[0] > '9' {
			rest = "0" + rest
		}
		digits = cmp.Or(whole, "0") + "." + rest
	}
	return number, sign + digits, ""
}

// isNumber reports whether a text was parsed as a number, even if the number is too large.
func isNumber[N any](_ N, err error) bool { return !errors.Is(err, strconv.ErrSyntax) }
