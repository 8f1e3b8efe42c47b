/**
 * For the bundler: leaves out the code that reads files back. A format describes how it is read as well as written, but the extension only
 * writes, and the reader of CSV is larger than its writer.
 */
import type { Plugin } from "vite"

const format = /[\\/]packages[\\/]export(?:-\w+)?[\\/](?:src|dist)[\\/](?:Format|formats)\.[jt]s$/
const reader = /\bimport\("\.\/(?:\w+\/)*\w+Reader\.[jt]s"\)/g

export const withoutReaders = (): Plugin => ({
  name: "formats-without-readers",
  enforce: "pre",
  transform: (code, id) =>
    format.test(id.split("?", 1)[0]!) ? { code: code.replace(reader, "{}"), map: null } : null,
})
