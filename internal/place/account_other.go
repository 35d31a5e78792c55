//go:build !unix || darwin

package place

import (
	"os"
	"os/user"
	"strconv"
)

func account() (name, home string) {
	found, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if os.Getuid() < 0 { // Windows: from the process's token
		found, err = user.Current()
	}
	if err != nil {
		return "", ""
	}
	return found.Username, found.HomeDir
}
