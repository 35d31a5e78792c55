package svg

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func cells(text, style, background string) Line {
	var l Line
	for _, r := range text {
		l = append(l, Cell{Text: string(r), Style: style, Background: background, Wide: r > 0x2e80})
	}
	return l
}

func TestDraw(t *testing.T) {
	line := append(cells("$", "32", ""), cells(` a<b   提交 "&"`, "", "")...)
	p := Picture{Title: "t", Description: "d", Columns: 80, Looks: []Look{{"32", "fill: green"}}, Lines: []Line{line, append(cells("> ", "", ""), cells("提b ", "", "#333")...), cells("▛▗ x", "32", "")}}
	picture, err := p.Draw()
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(picture), "~/project</text>\n")
	const want = `<text class="s32" x="18" y="48" textLength="8.4">$</text>
<text x="34.8" y="48" textLength="25.2">a&lt;b</text>
<text class="wide" x="85.2" y="48" textLength="33.6">提交</text>
<text x="127.2" y="48" textLength="25.2">"&amp;"</text>
<rect x="34.8" y="54" width="33.6" height="20" fill="#333"/>
<text x="18" y="68" textLength="8.4">&gt;</text>
<text class="wide" x="34.8" y="68" textLength="16.8">提</text>
<text x="51.6" y="68" textLength="8.4">b</text>
<path class="s32" shape-rendering="crispEdges" d="M18 74h4.2v10h-4.2zM22.2 74h4.2v10h-4.2zM18 84h4.2v10h-4.2zM30.6 84h4.2v10h-4.2z"/>
<text class="s32" x="43.2" y="88" textLength="8.4">x</text>
</svg>
`
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
	p.Looks = nil
	if _, err := p.Draw(); err == nil {
		t.Error("a style without a look is accepted")
	}
}
