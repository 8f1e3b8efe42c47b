/**
 * The result of a check as text, and its problems. Pure. A manifest is read from a file and can contain anything: only known members are shown, and
 * every text is cleaned when it is shown.
 */
import { Account, ExportError, Instant } from "@deedkit/export"
import { Json } from "@deedkit/core"
import type { FileCheck, Verification } from "@deedkit/export/run"
import { codes } from "../../failure/ExitCode.ts"
import { count, firstOf } from "../../terminal/Figures.ts"
import { clean, truncate } from "../../terminal/TerminalText.ts"
import type { Problem } from "../../failure/Failure.ts"

/** Maximum number of account values that are shown; the manifest has all of them. */
const mostValues = 8
const widestValue = 60

const fileLine = ({ bytes, expectedBytes, path, state }: FileCheck): string => {
  switch (state) {
    case "matches":
      return `${path}: matches its manifest`
    case "missing":
      return `${path}: missing`
    case "elsewhere":
      return `${path === "-" ? "standard output" : path}: not beside the manifest, not checked`
    case "differs":
      return bytes === expectedBytes
        ? `${path}: differs from its manifest, at the same length`
        : `${path}: differs from its manifest, ${count(bytes ?? 0, "byte", "bytes")} instead of ${count(expectedBytes, "byte", "bytes")}`
  }
}

const accountLines = (value: unknown): ReadonlyArray<string> => {
  const account = Account.fromJson(value as Json.Json)
  if (account === null) return ["  account: the manifest does not say"]
  const { keyFingerprint, me, meReason, profile } = account
  const values = Object.entries(me ?? {}).map(
    ([path, said]) => `${path} ${truncate(JSON.stringify(said), widestValue)}`,
  )
  const said =
    me === null || values.length === 0
      ? `nothing${meReason === null ? "" : `: ${meReason}`}`
      : firstOf(values, mostValues)
  return [
    `  account: ${profile === null ? "no profile" : `profile ${profile}`}, ${keyFingerprint === null ? "key not known" : `key ${keyFingerprint}`}`,
    `  the service says of it: ${said}`,
  ]
}

/** The account of the mirror that the records come from; null if they come from the service. */
const mirrorLine = ({ mirror, tables }: Verification["manifest"]): string | null => {
  // The content of a file is untyped.
  const source: unknown = mirror
  if (!Json.isObject(source) || typeof source["account"] !== "string") return null
  const runs = tables.flatMap((entry) => {
    const stored: unknown = entry.stored
    const run = Json.isObject(stored) ? stored["run"] : null
    return typeof run === "number" ? [`${entry.table} by its run ${run}`] : []
  })
  const asOf = typeof source["asOf"] === "string" ? [`as of ${source["asOf"]}`] : []
  return `  account: ${[`${source["account"]} in a mirror`, ...asOf, ...runs].join(", ")}`
}

/** The findings about a file, one per line. */
export const lines = ({ files, manifest }: Verification): ReadonlyArray<string> => {
  const rows = manifest.tables.map(({ rows: number, table }) => `${count(number, "row", "rows")} of ${table}`)
  const fromMirror = mirrorLine(manifest)
  return [
    ...files.map(fileLine),
    `  ${manifest.verdict}: ${rows.join(", ")}, from ${manifest.origin} at ${manifest.startedAt}`,
    ...manifest.reasons.map((reason) => `  ${reason}`),
    ...(fromMirror === null ? accountLines(manifest.account) : [fromMirror]),
    "  this finds accidental changes, not deliberate ones",
  ]
}

/** The greatest allowed age, parsed and as it was given. */
interface MaxAge {
  readonly millis: number
  readonly text: string
}

const ageProblem = (endedAt: unknown, { millis, text }: MaxAge, nowMillis: number): string | null => {
  const ended = typeof endedAt === "string" ? Instant.of(endedAt) : null
  if (ended === null) return "does not say when it ended, so its age is not known"
  const age = nowMillis - ended
  if (age < 0) return `ended at ${String(endedAt)}, which is in the future: its age is not known`
  return age <= millis ? null : `ended at ${String(endedAt)}, longer ago than ${text}`
}

export interface Wanted {
  /** Null for any age. */
  readonly maxAge: MaxAge | null
  readonly nowMillis: number
}

/** The problems, worst first. */
export const problems = (
  { files, manifest, path }: Verification,
  { maxAge, nowMillis }: Wanted,
): ReadonlyArray<Problem> => {
  const local = files.flatMap((file) => {
    if (file.state !== "differs" && file.state !== "missing") return []
    const state = file.state === "missing" ? "missing" : "changed"
    return [
      new ExportError.ExportError({ reason: { _tag: "NotAsExported", path: file.path, state } }).message,
    ]
  })
  const age = maxAge === null ? null : ageProblem(manifest.endedAt, maxAge, nowMillis)
  const incomplete = [
    ...(manifest.verdict === "complete"
      ? []
      : [`${path}: the export is not complete (${manifest.verdict}). Export again, or read its reasons.`]),
    ...(age === null ? [] : [`${path}: the export ${age}. Export again.`]),
  ]
  const of = (exitCode: number) => (problem: string) => ({ path, problem: clean(problem), exitCode })
  return [...local.map(of(codes.local)), ...incomplete.map(of(codes.notComplete))]
}
