package environ

import (
	"golang.org/x/sys/windows"

	"github.com/agent-hooks/agent-hooks/internal/place"
)

func system() []string {
	dir := place.WindowsFolder()
	list := []string{
		"PATH=" + place.SystemPath(), "SystemRoot=" + dir, "windir=" + dir, "SystemDrive=" + dir[:2], "ComSpec=" + dir + `\System32\cmd.exe`,
		"PATHEXT=.COM;.EXE;.BAT;.CMD", "USERPROFILE=" + dir + `\System32\config\systemprofile`, "PYTHONNOUSERSITE=1", "PYTHONSAFEPATH=1",
	}
	if data, err := windows.KnownFolderPath(windows.FOLDERID_LocalAppData, windows.KF_FLAG_DEFAULT); err == nil {
		list = append(list, "TEMP="+data+`\Temp`, "TMP="+data+`\Temp`)
	}
	return list
}
