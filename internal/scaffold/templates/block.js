function block(reason) {
  console.error(reason);
  process.exitCode = 2; // process.exit could lose the reason
}

