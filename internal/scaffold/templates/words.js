function main(event) {
  // What it looks at, and for. Change both.
  const text = @fields@;
  if (!text.includes("@word@")) return; // no opinion
  @answer@
@others@
}
