
// Neither require nor import, so that the project's package.json, which may
// say "type": "module", does not matter.
let input = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => { input += chunk; });
process.stdin.on("end", () => main(JSON.parse(input)));
