/**
 * For bundlers: a plugin for Rollup, rolldown and Vite that replaces the parts of exceljs that are loaded but never used.
 *
 * exceljs as it is published brings 85 packages, some of which can no longer be installed. Its workbook alone needs none of them, once its reader,
 * its streams, its CSV and its passwords are removed, which this package does not use, and its zip is that of fflate. The rest runs in browsers too, and
 * evaluates no text as code.
 */
/** A zip of fflate's, without compression. Pictures are empty, because none is kept. */
const zip = `
import { strToU8, Zip, ZipPassThrough } from "fflate"
export class ZipWriter {
  constructor() {
    this.chunks = []
    this.zip = new Zip((_, chunk) => this.chunks.push(chunk))
  }
  append(data, { name, base64 }) {
    const part = new ZipPassThrough(name)
    this.zip.add(part)
    part.push(strToU8(base64 ? "" : data), true)
  }
  pipe(stream) { this.stream = stream }
  on(event, listener) { if (event === "finish") this.finished = listener }
  finalize() {
    this.zip.end()
    this.stream.chunks = this.chunks
    this.finished()
  }
}
`

const buffer = `
module.exports = class {
  read() {
    const bytes = new Uint8Array(this.chunks.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const chunk of this.chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    return bytes
  }
}
`

const nothing = "module.exports = class { prepare() {} render() {} hasContent() { return false } }"

/** Replacements by the end of the name with which exceljs imports a module. */
const instead: ReadonlyArray<readonly [end: string, code: string]> = [
  ["cf-ext/conditional-formattings-ext-xform", nothing],
  ["comment/comments-xform", nothing],
  ["comment/vml-notes-xform", nothing],
  ["csv/csv", nothing],
  ["data-validations-xform", nothing],
  ["fs", nothing],
  ["jszip", nothing],
  ["readable-stream", nothing],
  ["sheet-protection-xform", nothing],
  ["utils/encryptor", nothing],
  ["utils/parse-sax", nothing],
  ["utils/stream-buf", buffer],
  ["utils/zip-stream", zip],
]

const mark = "\0exceljs-stand-in-"

/** What a bundler gives to its plugins. */
interface Bundler {
  readonly resolve: (source: string, importer: string) => Promise<{ readonly id: string } | null>
}

export interface StandIns {
  readonly name: string
  readonly resolveId: (this: Bundler, source: string, importer: string | undefined) => Promise<string | null>
  readonly load: (id: string) => string | null
}

/** Makes the plugin. It replaces only what exceljs itself imports. */
export const standIns = (): StandIns => ({
  name: "exceljs-stand-ins",
  async resolveId(source, importer = "") {
    // What a stand-in imports is a dependency of this package.
    if (importer.startsWith(mark)) {
      return (await this.resolve(source, import.meta.filename))?.id ?? null
    }
    if (!/[\\/]exceljs[\\/]lib[\\/]/.test(importer)) return null
    const found = instead.findIndex(([end]) => source === end || source.endsWith(`/${end}`))
    return found < 0 ? null : `${mark}${found}`
  },
  load: (id) => (id.startsWith(mark) ? (instead[Number(id.slice(mark.length))]?.[1] ?? null) : null),
})
