package shown

import (
	"strconv"
)

// Quote quotes a value, shortened to its first 60 bytes.
func Quote(s string) string { return strconv.Quote(Cut(s, 60)) }
