package paths

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"golang.org/x/sys/windows"
)

// checkRoot checks the file and its parents, up to the first that is the system's own folder: users
// can create files there, but cannot replace those of others.
func checkRoot(path string) error {
	system := systemFolders()
	checked := []string{path}
	err := eachPhysical(path, func(at string, info fs.FileInfo) error {
		if !slices.ContainsFunc(system, func(dir string) bool { return sameOrParent(at, dir) }) {
			checked = append(checked, at)
		}
		return checkNoLink(at, info)
	})
	if err != nil {
		return err
	}
	for _, at := range checked {
		if err := checkDescriptor(at); err != nil {
			return err
		}
	}
	return nil
}

// checkRootOf checks one file, without its parents.
func checkRootOf(path string, info fs.FileInfo) error {
	if err := checkNoLink(path, info); err != nil {
		return err
	}
	return checkDescriptor(path)
}

func checkNoLink(path string, info fs.FileInfo) error {
	if info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
		return &OwnerError{path, "is a link", "replace it by a folder"}
	}
	return nil
}

// sameOrParent reports whether dir is at or below it.
func sameOrParent(at, dir string) bool {
	rel, err := filepath.Rel(at, dir)
	return err == nil && filepath.IsLocal(rel)
}

// systemFolders are the folders of the system, which no variable names.
func systemFolders() (dirs []string) {
	for _, id := range []*windows.KNOWNFOLDERID{windows.FOLDERID_ProgramData, windows.FOLDERID_ProgramFiles, windows.FOLDERID_Windows} {
		if dir, err := windows.KnownFolderPath(id, windows.KF_FLAG_DEFAULT); err == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// trustedInstaller is the account that owns the files of Windows itself.
const trustedInstaller = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"

// changes are the rights with which a file can be changed, removed or made changeable.
const changes = windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA | windows.DELETE | windows.WRITE_DAC | windows.WRITE_OWNER |
	fileDeleteChild | windows.GENERIC_WRITE | windows.GENERIC_ALL

const fileDeleteChild = 0x40

func checkDescriptor(path string) error {
	fix := `icacls "` + path + `" /inheritance:r /grant:r *S-1-5-32-544:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-545:(OI)(CI)RX /setowner *S-1-5-32-544`
	d, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return UnknownOwner(path, err)
	}
	owner, _, err := d.Owner()
	if err != nil {
		return UnknownOwner(path, err)
	}
	if !isAdministrator(owner) {
		return &OwnerError{path, "does not belong to the administrators", fix}
	}
	list, _, err := d.DACL()
	if err != nil {
		return UnknownOwner(path, err)
	}
	if list == nil {
		return &OwnerError{path, "can be changed by everyone", fix}
	}
	for i := range uint32(list.AceCount) {
		var entry *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, i, &entry); err != nil {
			return UnknownOwner(path, err)
		}
		if entry.Header.AceType == windows.ACCESS_DENIED_ACE_TYPE || entry.Header.AceFlags&windows.INHERIT_ONLY_ACE != 0 {
			continue
		}
		if entry.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE {
			return UnknownOwner(path, os.ErrInvalid)
		}
		if entry.Mask&changes != 0 && !isAdministrator((*windows.SID)(unsafe.Pointer(&entry.SidStart))) {
			return &OwnerError{path, "can be changed by others than the administrators", fix}
		}
	}
	return nil
}

func isAdministrator(sid *windows.SID) bool {
	return sid.IsWellKnown(windows.WinBuiltinAdministratorsSid) || sid.IsWellKnown(windows.WinLocalSystemSid) || sid.String() == trustedInstaller
}

func checkAll(fs.FileMode, []string) error { return nil }
