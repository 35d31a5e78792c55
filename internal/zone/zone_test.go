package zone

import "testing"

func TestIsName(t *testing.T) {
	for tz, want := range map[string]bool{
		"": true, ":": true, "UTC": true, "Europe/Berlin": true, ":Europe/Berlin": true, "CET-1CEST,M3.5.0,M10.5.0/3": true,
		"/etc/localtime": true, ":/etc/localtime": true, "/usr/share/zoneinfo/Europe/Berlin": true,
		"/dev/stdin": false, ":/dev/stdin": false, "../../../dev/stdin": false, "/usr/share/zoneinfo/../x": false,
		"/tmp/x": false, "/usr/share/zoneinfo": false, "//usr/share/zoneinfo/x": false,
	} {
		if isName(tz) != want {
			t.Errorf("%q: got %t", tz, !want)
		}
	}
}
