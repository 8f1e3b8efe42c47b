/**
 * `deedkit sync`: maintains a mirror of many accounts, in one SQLite file or in PostgreSQL. The same command resumes where it ended, whatever the cause.
 * With `--queue` it queues the accounts for the workers of the mirror instead, and sends no request to the service. Its subcommands inspect the mirror
 * and remove data from it.
 *
 * A failed account does not stop the others; a failed mirror stops all. One line of progress is for all accounts: how many are done, what is being
 * read, and what waits; plain lines if standard error is not a terminal.
 */
import type { ClientEvent, Transport } from "@deedkit/core"
import { Json } from "@deedkit/core"
import { Period } from "@deedkit/export"
import { isComplete, noteUnopened, syncAccount } from "@deedkit/sync"
import type { MirrorStore, RunRow } from "@deedkit/sync"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Command from "effect/cli/Command"
import { checked, examples, root, text, texts, toggle } from "../command/SharedFlags.ts"
import { ofAccount } from "../command/Subcommand.ts"
import type { CommandError, Needs, Subcommand, Work } from "../command/Subcommand.ts"
import { codes } from "../failure/ExitCode.ts"
import type { AccountProblem } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import * as MirrorCatalogue from "../failure/MirrorCatalogue.ts"
import { endlessText, show, waitText } from "../session/Progress.ts"
import * as Session from "../session/Session.ts"
import { count, stamped } from "../terminal/Figures.ts"
import type { Service as TerminalService } from "../terminal/Terminal.ts"
import { Terminal } from "../terminal/Terminal.ts"
import { accountFlags, collectionsOf, defaultConcurrency, readFlags } from "./AccountList.ts"
import type { Listed } from "./AccountList.ts"
import * as AccountList from "./AccountList.ts"
import { backup } from "./Backup.ts"
import { changes } from "./Changes.ts"
import * as Mirror from "./Mirror.ts"
import { accept, forget, prune, rename } from "./Prune.ts"
import { repeat } from "./Rounds.ts"
import * as RunText from "./RunText.ts"
import * as Since from "./Since.ts"
import { status } from "./Status.ts"
import { verify } from "./Verify.ts"
import { nightName, worker } from "./Worker.ts"

const leastMillis = 60_000

const own = {
  to: text(
    "to",
    "MIRROR",
    "Mirror to write: a file such as mirror.sqlite, or postgres://user@host/database; created if it does not exist",
  ),
  ...accountFlags,
  ...readFlags,
  queue: toggle(
    "queue",
    "Queue the accounts for `sync worker` instead of reading them here, and return at once",
  ),
  since: checked(
    "since",
    "SINCE",
    Since.shape,
    (moment) => Since.isSince(moment),
    "With --queue: leave out accounts that are complete since then, a date, a UTC time, or a span such as 6h; default: since 00:00 UTC",
  ),
  every: checked(
    "every",
    "SPAN",
    `${Period.spanShape}, at least 1m`,
    (span) => (Period.span(span) ?? 0) >= leastMillis,
    "Keep running, and sync all accounts every SPAN, such as 24h; those that the service failed again after 5, 15, 45 and 120 minutes",
  ),
  failed: toggle("failed", "Sync only the accounts that `sync status` does not show as complete"),
  sameAccount: texts(
    "same-account",
    "NAME",
    "Confirm that the account NAME has a new key or address and is the one in the mirror. Repeat for several",
  ),
} as const

type Choices = Command.Command.Config.Infer<typeof own>

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
  return {
    account,
    rows,
    error: null,
    problem:
      problem.length === 0 ? null : { account, problem: problem.join(" "), exitCode: codes.notComplete },
  }
}

interface Progress {
  /** A listener for the client of an account. */
  readonly listen: (account: string) => ClientEvent.Listener
  readonly end: (account: string) => void
}

/** Shows progress until its scope closes. */
const showProgress = (
  terminal: TerminalService,
  accounts: number,
): Effect.Effect<Progress, never, Scope.Scope> => {
  const reading = new Set<string>()
  const waiting = new Map<string, string | null>()
  let ended = 0
  let records = 0
  const line = (): string => {
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
  return Effect.as(show(terminal, line), {
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
const one = ({ lists, name, open }: Listed, { progress, send, store }: Place, choices: Choices) =>
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
const syncAccounts = (
  to: string,
  listed: ReadonlyArray<Listed>,
  options: Choices,
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

/** How accounts are read: with `--every`, one whose service fails is tried again later, and does not hold its slot until then. */
const presetOf = ({ every }: Choices) => (every === undefined ? "patient" : "interactive")

/** What to do instead of a flag that says how accounts are read: a worker has its own. */
const insteadOf: { readonly [flag: string]: string } = {
  "--same-account": "Confirm the account with a sync of it alone, without --queue.",
  "--every": "Workers queue accounts with --nightly.",
}

/** Refuses such a flag together with --queue. */
const refuseOfWorker = ({ concurrency, data, every, only, pageSize, sameAccount }: Choices) => {
  const given = {
    "--only": only !== undefined,
    "--data": data,
    "--concurrency": concurrency !== undefined,
    "--page-size": pageSize !== undefined,
    "--same-account": sameAccount.length > 0,
    "--every": every !== undefined,
  }
  const [flag] = Object.entries(given).find(([, isGiven]) => isGiven) ?? []
  return flag === undefined
    ? Effect.void
    : usageError(
        `--queue and ${flag} cannot be combined`,
        insteadOf[flag] ?? `Start the workers with ${flag}: \`deedkit sync worker ${flag} ...\`.`,
      )
}

/** Queues the accounts and reports the result. */
const queue: (
  to: string,
  listed: ReadonlyArray<Listed>,
  choices: Choices,
) => Effect.Effect<void, CommandError, Needs> = Effect.fn(function* (to, listed, choices) {
  const { flags, note, terminal } = yield* Session.output
  yield* refuseOfWorker(choices)
  const server = yield* Mirror.sharedServerOf(to)
  const chosen = choices.failed ? yield* notComplete(to, listed) : listed
  yield* tagIn(to, listed)
  if (chosen.length === 0) return note(`All accounts are complete in ${to}.`)
  const now = yield* Clock.currentTimeMillis
  const since = choices.failed
    ? new Date(now).toISOString()
    : choices.since === undefined
      ? undefined
      : Since.moment(choices.since, now)
  const lists = new Map(chosen.map((each) => [each.name, collectionsOf(choices, each.lists)]))
  const engine = yield* Effect.promise(() => import("@deedkit/sync-postgres/worker"))
  const done = yield* engine
    .queue({
      ...server,
      accounts: [...lists.keys()],
      lists: (name) => Effect.succeed(lists.get(name) ?? []),
      since,
    })
    .pipe(Effect.catchTag("SyncError", MirrorCatalogue.failureOf))
  if (flags.json) return yield* terminal.json(Json.stringify({ mirror: to, ...done }, 2))
  const { queued, synced, waiting } = done
  note(
    [
      `${count(queued, "account is", "accounts are")} queued`,
      ...(waiting === 0 ? [] : [`${count(waiting, "is", "are")} in the queue already`]),
      ...(synced === 0 ? [] : [`${count(synced, "is", "are")} complete since ${nightName(done.since)}`]),
    ].join(", ") + ".",
  )
})

/** Stores the tags of all accounts of a file, whichever of them are synced. */
const tagIn = (to: string, listed: ReadonlyArray<Listed>) =>
  listed.every(({ tags }) => tags === undefined)
    ? Effect.void
    : Mirror.make(to, (store) => AccountList.tagIn(store, listed))

const document = (mirror: string, outcomes: ReadonlyArray<Outcome>): object => ({
  mirror,
  accounts: outcomes.map(({ account, problem, rows }) => ({
    account,
    complete: problem === null,
    problem: problem?.problem ?? null,
    runs: rows,
  })),
})

/** The accounts that the mirror does not hold as complete; all where there is no mirror. */
const notComplete = Effect.fnUntraced(function* (to: string, listed: ReadonlyArray<Listed>) {
  const accounts = yield* Mirror.read(to, (store) => store.status).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "MirrorFailed" && reason.kind === "MirrorMissing",
      () => Effect.succeed([]),
    ),
  )
  const complete = new Set(
    accounts.flatMap((each) => (RunText.accountProblem(each, null) === null ? [each.account] : [])),
  )
  return listed.filter(({ name }) => !complete.has(name))
})

/** Reasons of a mirror that pass: another process ends, a server comes back or is written to again, a disk is freed. */
const passing: ReadonlySet<string> = new Set([
  "DatabaseFailed",
  "DiskFull",
  "MirrorLocked",
  "MirrorReadOnly",
  "MirrorUnreachable",
])

/**
 * Syncs all accounts again and again. They are listed anew each time, so that a new line of an accounts file needs no restart, and one that cannot
 * be read ends nothing.
 */
const keepSyncing = Effect.fn(function* (
  to: string,
  every: string,
  first: ReadonlyArray<Listed>,
  choices: Choices,
) {
  let known = first
  const flags = yield* root
  const terminal = yield* Terminal
  // Problems are errors, which --quiet shows; a document of --json holds them.
  const say = (line: string, style?: "yellow") =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const note = Session.note(terminal, { json: flags.json, quiet: flags.quiet && style === undefined })
      note(stamped(line, now, terminal.isLogged), style)
    })
  const { network, rateLimited } = codes
  const among = (names: ReadonlyArray<string> | null) =>
    known.filter(({ name }) => names === null || names.includes(name))
  const round = (names: ReadonlyArray<string> | null) =>
    Effect.gen(function* () {
      known = yield* Effect.catch(AccountList.list(flags, choices, presetOf(choices)), ({ message }) =>
        Effect.as(say(message, "yellow"), known),
      )
      yield* tagIn(to, known)
      const outcomes = yield* syncAccounts(to, among(names), choices)
      if (flags.json) yield* terminal.json(Json.stringify(document(to, outcomes)))
      const problems = outcomes.flatMap(({ problem }) => problem ?? [])
      for (const { account, problem } of problems) yield* say(`${account}: ${problem}`, "yellow")
      yield* say(
        `${outcomes.length - problems.length} of ${count(outcomes.length, "account is", "accounts are")} complete in ${to}.`,
      )
      return problems.flatMap(({ account, exitCode }) =>
        exitCode === network || exitCode === rateLimited ? [account] : [],
      )
    }).pipe(
      Effect.catchIf(
        (error) =>
          error._tag === "Failure" && error.reason._tag === "MirrorFailed" && passing.has(error.reason.kind),
        ({ message }) =>
          Effect.gen(function* () {
            if (flags.json) yield* terminal.json(Json.stringify({ mirror: to, problem: message }))
            yield* say(message, "yellow")
            return among(names).map(({ name }) => name)
          }),
      ),
    )
  return yield* repeat(Period.span(every) ?? leastMillis, round, (accounts, minutes) =>
    say(`${count(accounts, "account is", "accounts are")} synced again in ${minutes} minutes.`),
  )
})

const work: Work<Choices> = Effect.fn(function* (choices) {
  const { sameAccount, to } = choices
  const { flags, note, terminal } = yield* Session.output
  if (to === undefined || to === "")
    return yield* usageError("Missing --to FILE", "Add `--to mirror.sqlite`.")
  if (to === "-" || to === ":memory:")
    return yield* usageError(`--to ${to} is not a file`, "Add `--to mirror.sqlite`.")
  const listed = yield* AccountList.list(flags, choices, presetOf(choices))
  if (choices.every !== undefined && choices.failed)
    return yield* usageError("--every and --failed cannot be combined", "Choose one of them.")
  if (choices.queue) return yield* queue(to, listed, choices)
  if (choices.since !== undefined) return yield* usageError("--since is for --queue", "Add `--queue`.")
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
  if (choices.every !== undefined) return yield* keepSyncing(to, choices.every, listed, choices)
  const chosen = choices.failed ? yield* notComplete(to, listed) : listed
  yield* tagIn(to, listed)
  if (chosen.length === 0) return note(`All accounts are complete in ${to}.`)
  const outcomes = yield* syncAccounts(to, chosen, choices)
  if (flags.json) yield* terminal.json(Json.stringify(document(to, outcomes), 2))
  yield* Mirror.failOf(outcomes)
  note(`${count(outcomes.length, "account is", "accounts are")} complete in ${to}.`)
})

export const sync: Subcommand<"sync"> = Command.make("sync", own, work).pipe(
  examples(`
    deedkit sync --to mirror.sqlite  # The current account; run it every night
    deedkit sync --profile acme --profile beta --to mirror.sqlite  # Two profiles
    deedkit sync --accounts accounts.jsonl --to mirror.sqlite  # The accounts of a file
    deedkit sync status mirror.sqlite --max-age 36h  # Is every account complete and recent?
    # Queue the accounts for the workers
    deedkit sync --accounts accounts.jsonl --to postgres://user@host/database --queue
    deedkit sync --accounts accounts.jsonl --to mirror.sqlite --every 24h  # Every day, until it is stopped
    deedkit sync changes mirror.sqlite --since 1d  # What changed since yesterday
  `),
  Command.withSubcommands([status, changes, accept, verify, backup, prune, rename, forget, worker]),
)
