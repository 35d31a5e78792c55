package install

import (
	"encoding/json"
	"os"
)

// argumentsVar makes the test binary print its arguments, and fail.
const argumentsVar = "INSTALL_TEST_ARGUMENTS"

func printArguments() {
	if os.Getenv(argumentsVar) != "" {
		_ = json.NewEncoder(os.Stdout).Encode(os.Args)
		os.Exit(2)
	}
}
