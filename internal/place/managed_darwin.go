package place

func managedHooks() string { return "/Library/Application Support/agents/hooks" }

// SystemPath returns the PATH of managed hooks: folders that only root can change.
func SystemPath() string { return "/usr/sbin:/usr/bin:/sbin:/bin" }
