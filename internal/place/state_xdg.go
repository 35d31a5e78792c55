//go:build darwin || windows

package place

import "github.com/adrg/xdg"

// stateHome returns the state home of this process's environment, which may be elsewhere than in the
// home. Package xdg is not linked on other systems: there it reads a file in the home before main,
// so a home on a file system that does not respond would hang a run that has managed hooks (D82).
func stateHome() string { return xdg.StateHome }
