/** How bundlers make this program smaller, for the package and for the single file. */

/**
 * Modules of exceljs that writing a workbook does not need: its streams, its readers, CSV, passwords of sheets, identifiers of data bars, and a compression,
 * because ours packs the parts. It takes the streams of Node for those of a library. And the completions of `effect/cli`, because the program has its own.
 */
export const alias: { readonly [module: string]: string | false } = {
  exceljs: "exceljs/lib/exceljs.bare.js",
  "readable-stream": "node:stream",
  "../csv/csv": false,
  "../utils/encryptor": false,
  "./Completions.js": false,
  "./load": false,
  lie: false,
  pako: false,
  saxes: false,
  setimmediate: false,
  uuid: false,
}

/** No getter of a library does anything but give a value. */
export const treeshake = { propertyReadSideEffects: false } as const

/** What is not bundled has no exports, and the code that names them is never run. */
export const checks = { importIsUndefined: false } as const
