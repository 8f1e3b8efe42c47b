/** `deedkit export verify FILE...`: whether files are byte for byte as they were exported, and what their manifest says of them. */
import { Json } from "@deedkit/core"
import { ExportError } from "@deedkit/export"
import type { Verification } from "@deedkit/export/run"
import * as Effect from "effect/Effect"
import { count } from "../Figures.ts"
import { root } from "../Root.ts"
import { Terminal } from "../Terminal.ts"
import type { Work } from "../Subcommand.ts"

const lines = ({ files, manifest }: Verification): ReadonlyArray<string> => {
  const rows = manifest.tables.map(({ rows: number, table }) => `${count(number, "row", "rows")} of ${table}`)
  return [
    ...files.map(({ bytes, expectedBytes, path, state }) => {
      switch (state) {
        case "as exported":
          return `${path}: as exported`
        case "missing":
          return `${path}: missing`
        case "changed":
          return bytes === expectedBytes
            ? `${path}: changed since its export, at the same length`
            : `${path}: changed since its export, ${count(bytes ?? 0, "byte", "bytes")} instead of ${count(expectedBytes, "byte", "bytes")}`
      }
    }),
    `  ${manifest.verdict}: ${rows.join(", ")}, from ${manifest.origin} at ${manifest.startedAt}`,
    ...manifest.reasons.map((reason) => `  ${reason}`),
  ]
}

export const verify: Work<{ readonly files: ReadonlyArray<string> }> = Effect.fn(function* ({ files }) {
  const flags = yield* root
  const terminal = yield* Terminal
  const run = yield* Effect.promise(() => import("@deedkit/export/run"))
  const found = yield* Effect.forEach(files, run.verify)
  yield* flags.json ? terminal.json(Json.stringify(found, 2)) : terminal.lines(found.flatMap(lines))
  const broken = found.flatMap((each) => each.files).find(({ state }) => state !== "as exported")
  if (broken !== undefined) {
    return yield* new ExportError.ExportError({
      reason: {
        _tag: "NotAsExported",
        path: broken.path,
        state: broken.state === "missing" ? "missing" : "changed",
      },
    })
  }
})
