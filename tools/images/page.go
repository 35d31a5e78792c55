package main

import (
	"fmt"
	"strings"
)

// pageName is the file of a page for a browser.
const pageName = "report.html"

// drawPage returns the upper part of a page, which is also well-formed XML, as an SVG picture.
func (p picture) drawPage(page string) []byte {
	const width = 860
	between := func(start, end string) string {
		_, rest, _ := strings.Cut(page, start)
		part, _, _ := strings.Cut(rest, end)
		return strings.TrimSpace(part)
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img" aria-labelledby="title description">
<title id="title">agent-hooks %[3]s</title>
<desc id="description">%[4]s</desc>
<style>
%[5]s
foreignObject { border: 1px solid #8888; border-radius: 9px; overflow: hidden; box-sizing: border-box; background: Canvas; color: CanvasText; }
</style>
<foreignObject width="%[1]d" height="%[2]d"><body xmlns="http://www.w3.org/1999/xhtml">
%[6]s
</body></foreignObject>
</svg>
`, width, p.page, p.name, p.description, between("<style>", "</style>"), between("<body>", "</body>"))
}
