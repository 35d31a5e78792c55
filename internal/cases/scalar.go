package cases

import (
	"fmt"
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
		return text, quote(s), fmt.Sprintf("%s is a number that JSON does not have; quotes make it a string", s)
	case sign == "" && digits == s && isBased(low):
		return text, quote(s), fmt.Sprintf("%s is a number in YAML but not in JSON; write it with the digits 0-9, or in quotes", s)
	case !isNumber(low):
		return text, quote(s), ""
	case len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9':
		return text, quote(s), fmt.Sprintf("%s is a number with a leading zero, which readers take for different ones; write it without, or in quotes", s)
	}
	return number, sign + jsonNumber(digits), ""
}

// isBased reports whether s is 0x1f or 0o17.
func isBased(s string) bool {
	hex, isHex := strings.CutPrefix(s, "0x")
	octal, isOctal := strings.CutPrefix(s, "0o")
	return isHex && hex != "" && strings.Trim(hex, "0123456789abcdef") == "" ||
		isOctal && octal != "" && strings.Trim(octal, "01234567") == ""
}

// isNumber reports whether s, without sign and in lower case, is a decimal
// number of the core schema.
func isNumber(s string) bool {
	s, exponent, has := strings.Cut(s, "e")
	if has {
		if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
			exponent = exponent[1:]
		}
		if exponent == "" || !isDigits(exponent) {
			return false
		}
	}
	whole, fraction, _ := strings.Cut(s, ".")
	return whole+fraction != "" && isDigits(whole+fraction)
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// jsonNumber adds the digits that JSON requires around a point.
func jsonNumber(s string) string {
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	i := strings.IndexByte(s, '.')
	if i >= 0 && (i+1 == len(s) || s[i+1] < '0' || s[i+1] > '9') {
		s = s[:i+1] + "0" + s[i+1:]
	}
	return s
}
