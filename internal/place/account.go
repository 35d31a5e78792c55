package place

// AccountHome returns the home directory of the process's user in the system's
// account database; "" if the user is not in it. Unlike HOME, nobody can set it
// in the environment (D89).
func AccountHome() string { return accountHome() }
