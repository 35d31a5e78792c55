package rawjson

import "testing"

func TestOffset(t *testing.T) {
	whole := []byte("0123456789")
	for _, c := range []struct {
		part []byte
		want int
	}{{whole, 0}, {whole[3:5], 3}, {whole[3:5:5], 3}, {whole[10:], 10}, {whole[4:4], 4}} {
		if got := Offset(whole, c.part); got != c.want {
			t.Errorf("Offset(%q) = %d, want %d", c.part, got, c.want)
		}
	}
}
