package discovery

import "testing"

func makeFIFO(t *testing.T, path string) {
	t.Skip("no such thing")
}

func loosen(t *testing.T, path string) {
	t.Skip("no check yet")
}
