/**
 * For bundlers: a plugin for Rollup, rolldown and Vite that replaces the parts of exceljs that are loaded but never used.
 *
 * exceljs as it is published brings 85 packages, some of which can no longer be installed. Its stream writer alone needs none of them, once
 * its zip, its streams, its reader and its passwords are removed, which this package does not use. The rest runs in browsers too, and
 * evaluates no text as code.
 */

/** A text that grows. */
const stringBuffer = `
module.exports = class StringBuf {
  constructor() { this.text = "" }
  get length() { return this.text.length }
  addText(text) { this.text += text }
  reset() { this.text = "" }
  toBuffer() { return new TextEncoder().encode(this.text) }
}
`

const nothing = "module.exports = class {}"

/** Replacements by the end of the name with which exceljs imports a module. */
const instead: ReadonlyArray<readonly [end: string, code: string]> = [
  ["archiver", "module.exports = () => ({ pipe() {}, append() {} })"],
  ["fs", "module.exports = {}"],
  ["utils/stream-buf", nothing],
  ["utils/string-buf", stringBuffer],
  ["utils/parse-sax", nothing],
  ["readable-stream", "module.exports = { PassThrough: class {}, Readable: class {} }"],
  ["utils/encryptor", "module.exports = {}"],
]

const mark = "\0exceljs-stand-in-"

export interface StandIns {
  readonly name: string
  readonly resolveId: (source: string, importer: string | undefined) => string | null
  readonly load: (id: string) => string | null
}

/** Makes the plugin. It replaces only what exceljs itself imports. */
export const standIns = (): StandIns => ({
  name: "exceljs-stand-ins",
  resolveId: (source, importer) => {
    if (importer === undefined || !/[\\/]exceljs[\\/]lib[\\/]/.test(importer)) return null
    const found = instead.findIndex(([end]) => source === end || source.endsWith(`/${end}`))
    return found < 0 ? null : `${mark}${found}`
  },
  load: (id) => (id.startsWith(mark) ? (instead[Number(id.slice(mark.length))]?.[1] ?? null) : null),
})
