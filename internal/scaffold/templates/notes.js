async function main(event) { // event.@key@ may matter
  const { existsSync, readFileSync } = await import("node:fs");
  const notes = (process.env.AGENT_HOOKS_PROJECT_DIR || ".") + "/NOTES.md";
  if (!existsSync(notes)) return; // nothing to say
  const text = readFileSync(notes, "utf8").slice(0, 4000);
  if (text.trim()) answer({ additional_context: "The project's notes (NOTES.md):\n" + text });
@others@
}
