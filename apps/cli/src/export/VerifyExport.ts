/**
 * `deedkit export verify FILE...`: checks whether files match their manifests, and reports what the manifests say. Checks every file. A manifest is
 * read from a file and can contain anything: only known members are shown, and every text is cleaned when it is shown.
 */
import { Json } from "@deedkit/core"
import { Account, ExportError, Instant, Period } from "@deedkit/export"
import type { FileCheck, Verification } from "@deedkit/export/run"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { checked, examples, root, text } from "../command/SharedFlags.ts"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import * as ExitCode from "../failure/ExitCode.ts"
import type { Problem } from "../failure/Failure.ts"
import { Failure } from "../failure/Failure.ts"
import { count, firstOf } from "../terminal/Figures.ts"
import { Terminal } from "../terminal/Terminal.ts"
import { clean, truncate } from "../terminal/TerminalText.ts"

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
const linesOf = ({ files, manifest }: Verification): ReadonlyArray<string> => {
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

interface Wanted {
  /** Null for any age. */
  readonly maxAge: MaxAge | null
  readonly nowMillis: number
}

/** The problems, worst first. */
const problemsOf = (
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
  return [...local.map(of(ExitCode.codes.local)), ...incomplete.map(of(ExitCode.codes.notComplete))]
}

interface VerifyChoices {
  readonly files: ReadonlyArray<string>
  readonly manifest: string | undefined
  readonly maxAge: string | undefined
}

/** The result for one file: lines for people, a document for programs, and the problems. */
interface Outcome {
  readonly lines: ReadonlyArray<string>
  readonly document: object
  readonly problems: ReadonlyArray<Problem>
}

const failed = (path: string, error: ExportError.ExportError, manifest: string | undefined): Outcome => {
  const exitCode = ExitCode.ofError(error)
  const isAlone = error.reason._tag === "FileMissing" && manifest === undefined
  const message = isAlone ? `${error.message} --manifest FILE names another manifest.` : error.message
  const problem = clean(`${path}: ${message}`)
  return {
    lines: [`${path}: not checked`, `  ${message}`],
    document: { path, ...error.toJSON(), message, exitCode },
    problems: [{ path, problem, exitCode }],
  }
}

/** Exit codes from the least to the most severe; every other code ranks after them. */
const ranks: ReadonlyArray<number> = [ExitCode.codes.done, ExitCode.codes.notComplete, ExitCode.codes.local]

const rankOf = (code: number): number => (ranks.includes(code) ? ranks.indexOf(code) : ranks.length)

const run: Work<VerifyChoices> = Effect.fn(function* ({ files, manifest, maxAge }) {
  const flags = yield* root
  const terminal = yield* Terminal
  const { verify: check } = yield* Effect.promise(() => import("@deedkit/export/run"))
  const wanted: Wanted = {
    // The flag accepts only valid spans.
    maxAge: maxAge === undefined ? null : { millis: Period.span(maxAge) ?? 0, text: maxAge },
    nowMillis: yield* Clock.currentTimeMillis,
  }
  const outcomes = yield* Effect.forEach(files, (path) =>
    Effect.match(check(path, { manifest }), {
      onFailure: (error) => failed(path, error, manifest),
      onSuccess: (found): Outcome => {
        const problems = problemsOf(found, wanted)
        return { lines: linesOf(found), document: { ...found, problems }, problems }
      },
    }),
  )
  yield* flags.json
    ? terminal.json(
        Json.stringify(
          outcomes.map(({ document }) => document),
          2,
        ),
      )
    : terminal.lines(outcomes.flatMap(({ lines }) => lines))
  const problems = outcomes.flatMap((outcome) => outcome.problems)
  const worst = problems.toSorted((one, other) => rankOf(other.exitCode) - rankOf(one.exitCode))[0]
  if (worst !== undefined)
    return yield* new Failure({
      reason: { _tag: "NotVerified", problems, exitCode: worst.exitCode },
    })
})

export const verify: Subcommand<"verify"> = Command.make(
  "verify",
  {
    files: Argument.String("FILE").pipe(
      Argument.withDescription("Exported files, or a manifest for all files of an export"),
      Argument.atLeast(1),
    ),
    manifest: text("manifest", "FILE", "Manifest; default: the one beside each file"),
    maxAge: checked(
      "max-age",
      "SPAN",
      Period.spanShape,
      (span) => Period.span(span) !== null,
      "Exit with code 9 when an export ended longer ago than SPAN, such as 36h or 2d",
    ),
  },
  run,
).pipe(
  Command.withDescription("Check files against their manifests; the exit code is that of the worst file"),
  examples(`
    deedkit export verify contracts.xlsx  # One file
    deedkit export verify contracts.csv.manifest.json  # All files of an export
    # Check that last night's export is complete and recent
    deedkit export verify contracts.xlsx --max-age 36h
    deedkit export verify 2026-03.csv --manifest contracts.csv.manifest.json  # A file that was renamed
  `),
)
