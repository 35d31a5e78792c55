package discovery

import "testing"

func TestUnisolated(t *testing.T) {
	for line, want := range map[string]string{
		`python3 -c 'import json'`:              "python3 -c",
		`x=$(/usr/bin/python3.12 -m json.tool)`: "/usr/bin/python3.12 -m",
		`subprocess.run(["python3", "-c", x])`:  "python3 -c",
		`python -Bsc x`:                         "python -Bsc",
		`python3 -W ignore -u -m x`:             "python3 -W ignore -u -m",
		`a | python3 -`:                         "python3 -",
		`pypy3 -cImport`:                        "pypy3 -cImport",
		`python3 -I -c x`:                       "",
		`python3 -Ic x`:                         "",
		`python3 -sIm x`:                        "",
		`python3 script.py -c x`:                "",
		`# python3 -c x`:                        "",
		`#!/usr/bin/env python3`:                "",
		`ipython -c x`:                          "",
		`python-config -c`:                      "",
		`command -v python3`:                    "",
		`perl -I. -e 'use JSON'`:                "perl -I.",
		`ruby -I ./lib x.rb`:                    "ruby -I",
		`node -r ./setup.js x.js`:               "node -r",
		`perl -e 'use JSON'`:                    "",
		`perl x.pl -I.`:                         "",
		`node --require=/opt/x.js y.js`:         "",
	} {
		if got, _, ok := unisolated(line); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", line, got, ok)
		}
	}
}
