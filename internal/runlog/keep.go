package runlog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

const (
	outputDir  = "output"
	keptOutput = 64 << 10 // bytes of each stream; equals spec.KeptOutput
)

// KeepOutput writes the last 64 KiB of each stream of hook to dir/output/HOOK.txt, replacing
// the previous output (D36). The file is written atomically.
func KeepOutput(dir, hook string, stdout, stderr []byte) error {
	if !isFileName(hook) {
		return fmt.Errorf("keep output: %q cannot be a file's name", hook)
	}
	folder := filepath.Join(dir, outputDir)
	err := os.MkdirAll(folder, 0o700)
	for _, d := range []string{dir, folder} {
		if err == nil {
			err = paths.CheckDirectory(d)
		}
	}
	if err != nil {
		return fmt.Errorf("keep output: %w", err)
	}
	if err := state.Write(filepath.Join(folder, hook+".txt"), page(stdout, stderr), 0o600); err != nil {
		return fmt.Errorf("keep output: %w", err)
	}
	return nil
}

// isFileName rejects names that refer to another folder on any system, and names of unfinished
// files.
func isFileName(name string) bool {
	return name != "" && name[0] != '.' && !strings.ContainsAny(name, "/\\:\x00")
}

func page(stdout, stderr []byte) []byte {
	var b bytes.Buffer
	writeStream(&b, "stdout", stdout)
	writeStream(&b, "stderr", stderr)
	return b.Bytes()
}

func writeStream(b *bytes.Buffer, name string, data []byte) {
	kept := data[max(0, len(data)-keptOutput):]
	if len(kept) < len(data) {
		name += fmt.Sprintf(", the last %d of %d bytes", len(kept), len(data))
	}
	fmt.Fprintf(b, "--- %s\n", name)
	b.Write(kept)
	if len(kept) > 0 && kept[len(kept)-1] != '\n' {
		b.WriteByte('\n')
	}
}
