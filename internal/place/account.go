package place

// AccountHome returns the home directory of the process's user in the system's
// account database; "" if the user is not in it. Unlike HOME, nobody can set it
// in the environment (D89).
func AccountHome() string {
	_, home := account()
	return home
}

// AccountName returns the name of the process's user in the account database; ""
// if the user is not in it.
func AccountName() string {
	name, _ := account()
	return name
}
