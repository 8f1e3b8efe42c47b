/**
 * `deedkit sync`: reads every account into one mirror. A failed account does not stop the others; a failed mirror stops all. The same command resumes
 * where it ended, whatever the cause.
 */
import { Json } from "@deedkit/core"
import type { Transport } from "@deedkit/core"
import { isComplete, noteUnopened, syncAccount } from "@deedkit/sync"
import type { MirrorStore, RunRow } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import { root } from "../command/Root.ts"
import type { Work } from "../command/Subcommand.ts"
import * as ExitCode from "../failure/ExitCode.ts"
import type { AccountProblem } from "../failure/Failure.ts"
import { Failure, usageError } from "../failure/Failure.ts"
import * as MirrorCatalogue from "../failure/MirrorCatalogue.ts"
import * as Session from "../session/Session.ts"
import { count } from "../terminal/Figures.ts"
import { Terminal } from "../terminal/Terminal.ts"
import { defaultConcurrency, readOptions } from "./mirror/AccountFlags.ts"
import type { Listed } from "./mirror/AccountList.ts"
import * as AccountList from "./mirror/AccountList.ts"
import { openMirror } from "./mirror/OpenMirror.ts"
import * as Mirror from "./mirror/Mirror.ts"
import * as RunText from "./mirror/RunText.ts"
import { queue } from "./queue/Queue.ts"
import type { SyncChoices } from "./Sync.command.ts"
import * as SyncProgress from "./SyncProgress.ts"

/** How the sync of an account ended. */
interface Outcome {
  readonly account: string
  readonly rows: ReadonlyArray<RunRow>
  readonly problem: AccountProblem | null
  readonly error: Mirror.AccountError | null
}

const failed = (account: string, error: Mirror.AccountError): Outcome => ({
  account,
  rows: [],
  error,
  problem: Mirror.problemOf(account, error),
})

const ended = (account: string, rows: ReadonlyArray<RunRow>): Outcome => {
  const problem = rows.filter((row) => !isComplete(row)).map(RunText.why)
  const { notComplete } = ExitCode.codes
  return {
    account,
    rows,
    error: null,
    problem: problem.length === 0 ? null : { account, problem: problem.join(" "), exitCode: notComplete },
  }
}

interface Place {
  readonly store: MirrorStore
  readonly send: Transport.Send
  readonly progress: SyncProgress.SyncProgress | null
}

/** Syncs one account. Fails only if the mirror itself has failed. */
const one = ({ name, open }: Listed, { progress, send, store }: Place, choices: SyncChoices) =>
  Effect.gen(function* () {
    const { client } = yield* Effect.tapError(open(send), (error) =>
      noteUnopened(store, name, Mirror.problemOf(name, error).problem, { isAdded: true }),
    )
    if (progress !== null) client.listen(progress.listen(name))
    return yield* syncAccount({
      store,
      client,
      account: name,
      ...readOptions(choices),
      isConfirmed: choices.sameAccount.includes(name),
    })
  }).pipe(
    Effect.scoped,
    Effect.map((rows) => ended(name, rows)),
    Effect.catchIf(
      (error) => error._tag !== "SyncError" || !MirrorCatalogue.isOfMirror(error),
      (error) => Effect.succeed(failed(name, error)),
    ),
    Effect.ensuring(Effect.sync(() => progress?.end(name))),
  )

const document = (mirror: string, outcomes: ReadonlyArray<Outcome>): object => ({
  mirror,
  accounts: outcomes.map(({ account, problem, rows }) => ({
    account,
    complete: problem === null,
    problem: problem?.problem ?? null,
    runs: rows,
  })),
})

export const sync: Work<SyncChoices> = Effect.fn(function* (choices) {
  const { concurrency = defaultConcurrency, sameAccount, to } = choices
  const flags = yield* root
  const terminal = yield* Terminal
  if (to === undefined || to === "")
    return yield* usageError("Missing --to FILE", "Add `--to mirror.sqlite`.")
  if (to === "-" || to === ":memory:")
    return yield* usageError(`--to ${to} is not a file`, "Add `--to mirror.sqlite`.")
  const listed = yield* AccountList.list(flags, choices)
  if (choices.queue) return yield* queue(to, listed, choices)
  if (choices.night !== undefined) return yield* usageError("--night is for --queue", "Add `--queue`.")
  const unknown = sameAccount.find((name) => listed.every((each) => each.name !== name))
  if (unknown !== undefined) {
    return yield* usageError(
      `--same-account names ${unknown}, which is not synced`,
      `Accounts: ${listed
        .slice(0, 10)
        .map(({ name }) => name)
        .join(", ")}.`,
    )
  }
  const note = Session.note(terminal, flags)
  const outcomes = yield* Effect.gen(function* () {
    const store = yield* openMirror(to, false)
    const send = yield* AccountList.sharedTransport
    const progress = flags.quiet || flags.json ? null : yield* SyncProgress.make(terminal, listed.length)
    const place: Place = { store, send, progress }
    return yield* Effect.forEach(
      listed,
      (each) =>
        Effect.tap(one(each, place, choices), ({ account, problem, rows }) =>
          Effect.sync(() => {
            for (const row of rows)
              note(`${account}: ${RunText.line(row)}.`, problem === null ? undefined : "yellow")
          }),
        ),
      { concurrency },
    )
  }).pipe(
    Effect.scoped,
    Effect.catchTag("SyncError", (error) => Effect.fail(MirrorCatalogue.failureOf(error))),
  )
  if (flags.json) yield* terminal.json(Json.stringify(document(to, outcomes), 2))
  const problems = outcomes.flatMap(({ problem }) => (problem === null ? [] : [problem]))
  const [only] = outcomes
  // The error of a single account is reported as it is, with its own document.
  if (outcomes.length === 1 && only !== undefined && only.error !== null)
    return yield* Mirror.alone(only.error)
  if (problems.length > 0) {
    return yield* new Failure({
      reason: { _tag: "NotSynced", problems, accounts: outcomes.length, isTold: false },
    })
  }
  note(`${count(outcomes.length, "account is", "accounts are")} complete in ${to}.`)
})
