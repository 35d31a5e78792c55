package place

import "golang.org/x/sys/windows"

// ManagedHooks returns the directory of the administrator's hooks (D82), in the known folder ProgramData.
func ManagedHooks() string {
	dir, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, windows.KF_FLAG_DEFAULT)
	if err != nil {
		dir = `C:\ProgramData`
	}
	return dir + `\agents\hooks`
}

// SystemPath returns the PATH of managed hooks.
func SystemPath() string {
	dir := WindowsFolder()
	return dir + `\System32;` + dir + `;` + dir + `\System32\WindowsPowerShell\v1.0;` + dir[:2] + `\Program Files\Git\bin`
}

// WindowsFolder returns the folder of Windows, which no variable names.
func WindowsFolder() string {
	dir, err := windows.GetSystemWindowsDirectory()
	if err != nil {
		return `C:\Windows`
	}
	return dir
}
