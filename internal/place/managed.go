package place

// ManagedHooks returns the directory of the administrator's hooks (D82): /etc/agents/hooks, on macOS
// /Library/Application Support/agents/hooks, on Windows agents\hooks in the known folder ProgramData.
// No variable and no option can name another one.
func ManagedHooks() string { return managedHooks() }
