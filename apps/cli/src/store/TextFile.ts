/** Small text files that people edit: UTF-8, with or without the byte order mark that Notepad and PowerShell write. */
const decoder = new TextDecoder("utf-8")

/** The text without a byte order mark. Throws an error with the code `UTF-16` for that encoding, which PowerShell's `>` writes. */
export const decode = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw Object.assign(new Error("UTF-16"), { code: "it is UTF-16: save it as UTF-8" })
  return decoder.decode(bytes)
}
