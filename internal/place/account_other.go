//go:build !unix || darwin

package place

import (
	"os"
	"os/user"
	"strconv"
)

func accountHome() string {
	account, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if os.Getuid() < 0 { // Windows: from the process's token
		account, err = user.Current()
	}
	if err != nil {
		return ""
	}
	return account.HomeDir
}
