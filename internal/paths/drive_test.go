package paths_test

import (
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

func TestOnDrive(t *testing.T) {
	for _, test := range [][3]string{
		{`C:\Users\me\.env`, `C:\p`, "C:/Users/me/.env"},
		{"c:/Users/me", `C:\p`, "C:/Users/me"},
		{"/c/Users/me", `C:\p`, "c:/Users/me"},
		{"/D", `C:\p`, "D:/"},
		{"/cygdrive/d/x", `C:\p`, "d:/x"},
		{"/mnt/d/x", `C:\p`, "d:/x"},
		{"/mnt/data/x", `C:\p`, "C:/mnt/data/x"},
		{"/c:/Users/me", `C:\p`, "C:/Users/me"},
		{"///C:/x", `C:\p`, "C:/x"}, // of file:///C:/x
		{"/etc/passwd", `D:\p`, "D:/etc/passwd"},
		{`\etc`, `D:\p`, "D:/etc"},
		{"C:x", `c:\p`, "C:/p/x"},
		{"D:x", `C:\p`, "D:/x"},
		{`\\?\C:\p\.env`, `C:\p`, "C:/p/.env"},
		{`\\.\C:\p\.env`, `C:\p`, "C:/p/.env"},
		{`\\?\UNC\server\share\x`, `C:\p`, "//server/share/x"},
		{`\\server\share\x.`, `C:\p`, "//server/share/x"},
		{`\\localhost\C$\Users\me`, `D:\p`, "C:/Users/me"},
		{`\\server\c$`, `D:\p`, "C:/"},
		{".env::$DATA", `C:\p`, ".env"},
		{`.\.env.. .`, `C:\p`, "./.env"},
		{"../.env ", `C:\p`, "../.env"},
		{"sub./x", `C:\p`, "sub/x"},
		{"*.[[:alpha:]]", `C:\p`, "*.[[:alpha:]]"},
		{"", `C:\p`, ""},
		{"/", `C:\p`, "C:/"},
		{"//", `C:\p`, "//"},
	} {
		if got := paths.OnDrive(test[0], test[1]); got != strings.Replace(strings.Replace(test[2], "c:/", "C:/", 1), "d:/", "D:/", 1) {
			t.Errorf("%s from %s: %q, not %q", test[0], test[1], got, test[2])
		}
	}
}
