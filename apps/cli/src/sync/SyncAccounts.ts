/**
 * Reads every account of a sync into one mirror. A failed account does not stop the others; a failed mirror stops all. One line of progress is for all
 * accounts: how many are done, what is being read, and what waits; plain lines if standard error is not a terminal.
 */
import type { ClientEvent, Transport } from "@deedkit/core"
import { isComplete, noteUnopened, syncAccount } from "@deedkit/sync"
import type { MirrorStore, RunRow } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ofAccount } from "../command/Subcommand.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"
import * as ExitCode from "../failure/ExitCode.ts"
import type { AccountProblem } from "../failure/Failure.ts"
import * as MirrorCatalogue from "../failure/MirrorCatalogue.ts"
import { endlessText, show, waitText } from "../session/Progress.ts"
import * as Session from "../session/Session.ts"
import { count, stamped } from "../terminal/Figures.ts"
import type * as Terminal from "../terminal/Terminal.ts"
import type { Listed, ReadChoices } from "./AccountList.ts"
import { collectionsOf, defaultConcurrency } from "./AccountList.ts"
import * as AccountList from "./AccountList.ts"
import * as Mirror from "./Mirror.ts"
import * as RunText from "./RunText.ts"

export interface SyncOptions extends ReadChoices {
  /** Names of accounts that have a new key or address, and are the ones in the mirror. */
  readonly sameAccount: ReadonlyArray<string>
}

/** How the sync of an account ended. */
export interface Outcome {
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

interface Progress {
  /** A listener for the client of an account. */
  readonly listen: (account: string) => ClientEvent.Listener
  readonly end: (account: string) => void
}

/** Shows progress until its scope closes. */
const showProgress = (
  terminal: Terminal.Service,
  accounts: number,
): Effect.Effect<Progress, never, Scope.Scope> => {
  const reading = new Set<string>()
  const waiting = new Map<string, string | null>()
  let ended = 0
  let records = 0
  const text = (): string => {
    const reason = [...waiting.values()].find((why) => why !== null)
    return [
      `${ended} of ${count(accounts, "account", "accounts")}`,
      `${reading.size} reading`,
      ...(waiting.size === 0 ? [] : [`${waiting.size} waiting${reason === undefined ? "" : ` (${reason})`}`]),
      count(records, "record", "records"),
    ].join(", ")
  }
  const listen = (account: string): ClientEvent.Listener => {
    reading.add(account)
    let before = 0
    return (event) => {
      if (event._tag === "Waiting") waiting.set(account, waitText(event, terminal.isLogged))
      if (event._tag === "Attempted") waiting.delete(account)
      if (event._tag !== "PageRead") return
      const endless = endlessText(event.summary)
      if (endless !== null)
        terminal.say(stamped(`${account}: ${endless}`, Date.now(), terminal.isLogged), "yellow")
      const { records: now } = event.summary
      records += now < before ? now : now - before
      before = now
    }
  }
  return Effect.as(show(terminal, text), {
    listen,
    end: (account) => {
      reading.delete(account)
      waiting.delete(account)
      ended += 1
    },
  })
}

interface Place {
  readonly store: MirrorStore
  readonly send: Transport.Send
  readonly progress: Progress | null
}

/** Syncs one account. Fails only if the mirror itself has failed. */
const one = ({ lists, name, open }: Listed, { progress, send, store }: Place, choices: SyncOptions) =>
  Effect.gen(function* () {
    const { client } = yield* Effect.tapError(ofAccount(name)(open(send)), (error) =>
      noteUnopened(store, name, Mirror.problemOf(name, error).problem, { isAdded: true }),
    )
    if (progress !== null) client.listen(progress.listen(name))
    return yield* syncAccount({
      store,
      client,
      account: name,
      data: choices.data,
      pageSize: choices.pageSize,
      collections: collectionsOf(choices, lists),
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

/** Syncs all accounts, and reports each as it ends. */
export const syncAccounts = (
  to: string,
  listed: ReadonlyArray<Listed>,
  options: SyncOptions,
): Effect.Effect<ReadonlyArray<Outcome>, CommandError, Needs> =>
  Effect.gen(function* () {
    const { concurrency = defaultConcurrency } = options
    const { flags, note, terminal } = yield* Session.output
    const store = yield* Mirror.openMirror(to, false)
    const send = yield* AccountList.sharedTransport
    const progress = flags.quiet || flags.json ? null : yield* showProgress(terminal, listed.length)
    const place: Place = { store, send, progress }
    return yield* Effect.forEach(
      listed,
      (each) =>
        Effect.tap(one(each, place, options), ({ account, problem, rows }) =>
          Effect.sync(() => {
            for (const row of rows)
              note(
                stamped(`${account}: ${RunText.line(row)}.`, row.endedAt, terminal.isLogged),
                problem === null ? undefined : "yellow",
              )
          }),
        ),
      { concurrency },
    )
  }).pipe(Effect.scoped, Effect.catchTag("SyncError", MirrorCatalogue.failureOf))
