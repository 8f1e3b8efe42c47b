/** `deedkit export verify FILE...`: checks whether files match their manifests, and reports what the manifests say. Checks every file. */
import { Json } from "@deedkit/core"
import type { ExportError } from "@deedkit/export"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Age from "../../command/Age.ts"
import * as ExitCode from "../../failure/ExitCode.ts"
import { root } from "../../command/Root.ts"
import { Terminal } from "../../terminal/Terminal.ts"
import { clean } from "../../terminal/TerminalText.ts"
import type { Work } from "../../command/Subcommand.ts"
import * as VerifyText from "./VerifyText.ts"
import { Failure } from "../../failure/Failure.ts"
import type { Problem } from "../../failure/Failure.ts"

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

export const verify: Work<VerifyChoices> = Effect.fn(function* ({ files, manifest, maxAge }) {
  const flags = yield* root
  const terminal = yield* Terminal
  const run = yield* Effect.promise(() => import("@deedkit/export/run"))
  const wanted: VerifyText.Wanted = {
    // The flag accepts only valid spans.
    maxAge: maxAge === undefined ? null : { millis: Age.parse(maxAge) ?? 0, text: maxAge },
    nowMillis: yield* Clock.currentTimeMillis,
  }
  const outcomes = yield* Effect.forEach(files, (path) =>
    Effect.match(run.verify(path, { manifest }), {
      onFailure: (error) => failed(path, error, manifest),
      onSuccess: (found): Outcome => {
        const problems = VerifyText.problems(found, wanted)
        return { lines: VerifyText.lines(found), document: { ...found, problems }, problems }
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
