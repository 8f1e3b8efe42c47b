/**
 * How exceljs comes into the worker that makes workbooks: its public entry, whose files stay as they are, by the bundler's own options.
 *
 * Its build for browsers holds ways to run text as code, which no script of an extension may have. They are in packages that it asks for and workbooks
 * never use, so these are left out here. What its entry takes from Node is given to it in the way of browsers.
 */
import { createRequire } from "node:module"
import { join } from "node:path"

const { resolve } = createRequire(import.meta.url)
const exceljs = createRequire(import.meta.resolve("@deedkit/export-xlsx")).resolve("exceljs")
const jszip = createRequire(exceljs).resolve("jszip")
const local = (name: string): string => join(import.meta.dirname, name)

/** By `resolve.alias`. */
export const alias = [
  { find: /^exceljs$/, replacement: exceljs },
  { find: /^jszip$/, replacement: jszip },
  // The names of Node's own modules: the slash stands for the package.
  { find: /^buffer$/, replacement: resolve("buffer/") },
  { find: /^events$/, replacement: resolve("events/") },
  // Its reader, its streams, CSV and passwords; promises for browsers without them.
  {
    find: /^(?:archiver|crypto|fast-csv|fs|lie|saxes|setimmediate|stream|tmp|unzipper)$/,
    replacement: local("nothing.ts"),
  },
]

/** By `define`. */
export const define = {
  global: "globalThis",
  "process.browser": "true",
  "process.nextTick": "queueMicrotask",
  "process.versions.node": JSON.stringify("24.0.0"),
}

/** By `transform.inject`, into the files that name them. */
export const inject = {
  Buffer: ["buffer", "Buffer"] as [string, string],
  setImmediate: [local("setImmediate.ts"), "setImmediate"] as [string, string],
}
