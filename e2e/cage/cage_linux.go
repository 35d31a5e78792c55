package cage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// Command returns a command that runs this program with c.Args, confined. All processes that it
// starts end with it.
func Command(ctx context.Context, c Cage) (*exec.Cmd, error) {
	description, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "/proc/self/exe", Argument, string(description))
	cmd.Dir = c.Writable
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWNET |
			unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	if c.User != 0 {
		second := syscall.SysProcIDMap{ContainerID: c.User, HostID: c.User, Size: 1}
		a := cmd.SysProcAttr
		a.UidMappings, a.GidMappings, a.GidMappingsEnableSetgroups = append(a.UidMappings, second), append(a.GidMappings, second), true
	}
	return cmd, nil
}

// As makes a command run as another user of the cage.
func As(cmd *exec.Cmd, user int) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(user), Gid: uint32(user)}}
}

// Enter confines the current process, the first one in its namespaces, runs the program, and
// reaps orphans until the program ends. It returns the program's exit status.
func Enter(description string) (int, error) {
	var c Cage
	if err := json.Unmarshal([]byte(description), &c); err != nil {
		return 0, err
	}
	if os.Getpid() != 1 {
		return 0, errors.New("not in a cage of its own")
	}
	if err := loopbackUp(); err != nil {
		return 0, fmt.Errorf("loopback: %w", err)
	}
	if err := c.build(); err != nil {
		return 0, err
	}
	return c.run()
}

func (c Cage) run() (int, error) {
	child, err := os.StartProcess("/proc/self/exe", append([]string{"e2e"}, c.Args...), &os.ProcAttr{
		Dir: c.Writable, Env: os.Environ(), Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
	})
	if err != nil {
		return 0, err
	}
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, 0, nil)
		if err == nil && pid == child.Pid {
			return status.ExitStatus(), nil
		}
		if err != nil && !errors.Is(err, unix.EINTR) {
			return 0, err
		}
	}
}

func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}

// root is the mount point of the new root. It can be any existing folder, because the mount is
// visible only in this namespace.
const root = "/mnt"

// build creates a root with the visible files, and changes to it.
func (c Cage) build() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("private mounts: %w", err)
	}
	if err := unix.Mount("tmpfs", root, "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("new root: %w", err)
	}
	if err := c.fill(); err != nil {
		return err
	}
	return enterRoot()
}

func (c Cage) fill() error {
	for _, path := range systemFolders() {
		if err := show(path); err != nil {
			return err
		}
	}
	for _, path := range append(c.Visible, c.Writable) {
		if err := bind(path, path); err != nil {
			return err
		}
	}
	for _, m := range c.Moved {
		if err := bind(m.From, m.To); err != nil {
			return err
		}
	}
	attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(-1, root, unix.AT_RECURSIVE, attr); err != nil {
		return fmt.Errorf("read-only root: %w", err)
	}
	attr = &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	writable := []string{c.Writable}
	for _, m := range c.Moved {
		if m.Writable {
			writable = append(writable, m.To)
		}
	}
	for _, path := range writable {
		if err := unix.MountSetattr(-1, root+path, 0, attr); err != nil {
			return fmt.Errorf("writable %s: %w", path, err)
		}
	}
	for _, path := range []string{"/tmp", "/dev/shm"} {
		if err := unix.Mount("tmpfs", root+path, "tmpfs", 0, "mode=1777"); err != nil {
			return fmt.Errorf("private %s: %w", path, err)
		}
	}
	return unix.Mount("proc", root+"/proc", "proc", 0, "")
}

func systemFolders() []string {
	return []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/etc", "/nix", "/dev", "/proc", "/sys", "/tmp"}
}

// show makes one of the system's folders visible. It keeps links.
func show(path string) error {
	if target, err := os.Readlink(path); err == nil {
		return os.Symlink(target, root+path)
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if path == "/proc" || path == "/tmp" {
		return os.MkdirAll(root+path, 0o755)
	}
	return bind(path, path)
}

func bind(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if err := mountPoint(root+to, info.IsDir()); err != nil {
		return err
	}
	if err := unix.Mount(from, root+to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("show %s: %w", from, err)
	}
	return nil
}

// mountPoint creates a missing file or folder to mount on. An existing one is left alone: it is
// the system's.
func mountPoint(path string, folder bool) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if folder {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o600)
}

func enterRoot() error {
	if err := os.Chdir(root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("enter the new root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leave the old root: %w", err)
	}
	return os.Chdir("/")
}
