/**
 * Puts the part of exceljs that is used into this package's own files, `dist/exceljs.js` or the file that is named, so that installing
 * the package does not install exceljs.
 */
import { createRequire } from "node:module"
import { join } from "node:path"
import { build } from "rolldown"
import { standIns } from "./src/standIns.ts"

const file = process.argv[2] ?? join(import.meta.dirname, "dist", "exceljs.js")

await build({
  input: createRequire(import.meta.url).resolve("exceljs/lib/exceljs.bare.js"),
  platform: "neutral",
  plugins: [standIns()],
  resolve: { mainFields: ["main"] },
  logLevel: "warn",
  output: {
    file,
    format: "esm",
    codeSplitting: false,
    minify: true,
    banner:
      "/* Parts of exceljs 4.4.0, https://github.com/exceljs/exceljs. MIT licence, Copyright (c) 2014-2019 Guyon Roche and contributors. */",
  },
})
