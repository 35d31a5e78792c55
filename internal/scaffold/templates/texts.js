// Every text in value, with blanks between: agents call the same thing command,
// cmd, file_path, filePath ...
function texts(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return Object.values(value).map(texts).join(" ");
  return String(value);
}

