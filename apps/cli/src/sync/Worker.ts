/**
 * `deedkit sync worker`: syncs the accounts that the queue assigns to it, with its own keys. It lists its accounts again if one is not known and
 * before each night, so that a new line in an accounts file needs no restart.
 */
import { Json } from "@deedkit/core"
import type { RunRow } from "@deedkit/sync"
import type { WorkerEvent } from "@deedkit/sync-postgres/cluster"
import * as Cron from "effect/Cron"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Command from "effect/cli/Command"
import { root, text } from "../command/SharedFlags.ts"
import type { Needs, Subcommand, Work } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"
import * as MirrorCatalogue from "../failure/MirrorCatalogue.ts"
import * as Session from "../session/Session.ts"
import { count, stamped } from "../terminal/Figures.ts"
import { Terminal } from "../terminal/Terminal.ts"
import { accountFlags, defaultConcurrency, readFlags, readOptions } from "./AccountList.ts"
import * as AccountList from "./AccountList.ts"
import { nameOf, placeOf } from "./Mirror.ts"
import * as RunText from "./RunText.ts"

const own = {
  to: text(
    "to",
    "MIRROR",
    "Mirror to write: postgres://user@host/database, or a file such as mirror.sqlite (one worker only)",
  ),
  ...accountFlags,
  ...readFlags,
  nightly: text(
    "nightly",
    "CRON",
    "Queue all accounts of this worker at these times, in UTC: '0 2 * * *' is at 02:00; queued once, however many workers set this",
  ),
} as const

type Choices = Command.Command.Config.Infer<typeof own>

/** An event as a line of JSON. */
const documentOf = (event: WorkerEvent): object => {
  switch (event._tag) {
    case "Synced":
      return { event: "synced", account: event.account, runs: event.rows }
    case "Failed":
      return { event: "failed", account: event.account, problem: event.problem }
    case "Delayed":
      return { event: "delayed", account: event.account, problem: event.problem }
    case "NightQueued":
      return { event: "night-queued", night: event.night, ...event.queued }
    case "NightFailed":
      return { event: "night-failed", night: event.night, problem: event.problem }
  }
}

const linesOf = (event: WorkerEvent, lineOf: (row: RunRow) => string): ReadonlyArray<string> => {
  switch (event._tag) {
    case "Synced":
      return event.rows.map((row) => `${event.account}: ${lineOf(row)}.`)
    case "Failed":
      return [`${event.account}: ${event.problem}`]
    case "Delayed":
      return [`${event.account}: ${event.problem} It is tried again.`]
    case "NightQueued":
      return [
        `${count(event.queued.queued, "account is", "accounts are")} queued for the night ${event.night}.`,
      ]
    case "NightFailed":
      return [`The night ${event.night} could not be queued. ${event.problem}`]
  }
}

const comes = (cron: Cron.Cron): boolean => {
  try {
    Cron.next(cron)
    return true
  } catch {
    return false
  }
}

const cronOf = (expression: string) =>
  Result.match(Cron.parse(expression, "UTC"), {
    onSuccess: (cron) =>
      comes(cron)
        ? Effect.succeed(cron)
        : usageError(`The time of --nightly ${expression} never comes`, "Check its day and its month."),
    onFailure: () =>
      usageError(
        `--nightly ${expression} is not a cron expression`,
        "Write minute, hour, day, month and weekday: `--nightly '0 2 * * *'` is every day at 02:00 UTC.",
      ),
  })

const work: Work<Choices> = Effect.fn(function* (choices) {
  const { concurrency = defaultConcurrency, nightly, to } = choices
  const flags = yield* root
  const terminal = yield* Terminal
  if (to === undefined || to === "")
    return yield* usageError(
      "Missing --to MIRROR",
      "Add `--to mirror.sqlite` or `--to postgres://user@host/database`.",
    )
  const place = yield* placeOf(to)
  const cron = nightly === undefined ? undefined : yield* cronOf(nightly)
  const context = yield* Effect.context<Needs>()
  const list = AccountList.list(flags, choices).pipe(
    Effect.map((listed) => new Map(listed.map((each) => [each.name, each]))),
    Effect.provideContext(context),
  )
  let known = yield* list
  const listAgain = Effect.tap(list, (listed) => {
    known = listed
    return Effect.void
  })
  const note = Session.note(terminal, flags)
  const listen = (event: WorkerEvent) =>
    flags.json
      ? Effect.ignore(terminal.json(Json.stringify(documentOf(event))))
      : Effect.sync(() => {
          const isFine = event._tag === "Synced" || event._tag === "NightQueued"
          for (const line of linesOf(event, RunText.line))
            note(stamped(line, Date.now(), terminal.isLogged), isFine ? undefined : "yellow")
        })
  const cluster = yield* Effect.promise(() => import("@deedkit/sync-postgres/cluster"))
  return yield* Effect.gen(function* () {
    const send = yield* AccountList.sharedTransport
    const open = (name: string) =>
      Effect.gen(function* () {
        const found = known.get(name) ?? (yield* listAgain).get(name)
        if (found === undefined) {
          return yield* usageError(
            `The queue has the account ${name}, which this worker does not know`,
            "Give all workers the same accounts.",
          )
        }
        return (yield* found.open(send)).client
      }).pipe(Effect.provideContext(context))
    note(
      `Working for ${nameOf(to)}, ${count(concurrency, "account", "accounts")} at once. SIGTERM or Ctrl-C ends it.`,
    )
    return yield* cluster.work({
      ...place,
      open,
      listen,
      concurrency,
      sync: readOptions(choices),
      nightly:
        cron === undefined ? undefined : { cron, accounts: Effect.map(listAgain, (all) => [...all.keys()]) },
    })
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Logger.layer([Logger.make(({ message }) => note(`The engine: ${String(message)}`, "yellow"))]),
    ),
    Effect.provideService(References.MinimumLogLevel, "Error"),
    Effect.catchTag("SyncError", (error) => Effect.fail(MirrorCatalogue.failureOf(error))),
  )
})

export const worker: Subcommand<"worker"> = Command.make("worker", own, work).pipe(
  Command.withDescription("Sync queued accounts, on one machine or, with PostgreSQL, on as many as you like"),
  Command.withExamples([
    {
      command: "deedkit sync worker --accounts accounts.jsonl --to mirror.sqlite --nightly '0 2 * * *'",
      description: "One machine, every night",
    },
    {
      command: "deedkit sync worker --accounts accounts.jsonl --to postgres://user@host/database",
      description: "Work until SIGTERM or Ctrl-C",
    },
    {
      command:
        "deedkit sync worker --accounts accounts.jsonl --to postgres://user@host/database --nightly '0 2 * * *'",
      description: "Also queue every account at night",
    },
  ]),
)
