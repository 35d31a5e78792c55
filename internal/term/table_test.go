package term

import "testing"

func TestTable(t *testing.T) {
	table := Table{
		Titles: []string{"HOOK", "RUNS", "CAUSE"}, Right: []bool{1: true}, Hide: []int{1}, LastWidth: 12,
		Rows: [][]string{{"guard", "12", "no end within 60000 ms"}, {"format", "3", ""}},
	}
	plain := func(_, text string) string { return text }
	for width, want := range map[int]string{
		0:  "HOOK    RUNS  CAUSE\nguard     12  no end within 60000 ms\nformat     3\n",
		28: "HOOK    RUNS  CAUSE\nguard     12  no end within\n              60000 ms\nformat     3\n",
		22: "HOOK    CAUSE\nguard   no end within\n        60000 ms\nformat\n",
		19: "guard\n    runs 12, cause\n    no end within\n    60000 ms\nformat\n    runs 3\n",
	} {
		if got := table.Text(width, plain); got != want {
			t.Errorf("%d columns: got\n%swant\n%s", width, got, want)
		}
	}
	table.Cut = true
	if got, want := table.Text(28, plain), "HOOK    RUNS  CAUSE\nguard     12  no end within…\nformat     3\n"; got != want {
		t.Errorf("cut: got\n%swant\n%s", got, want)
	}
}
