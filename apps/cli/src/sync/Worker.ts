/**
 * `deedkit sync worker`: syncs the accounts that the queue assigns to it, with its own keys. It lists its accounts again if one is not known and
 * before each night, so that a new line in an accounts file needs no restart.
 */
import { Json } from "@deedkit/core"
import type { WorkerEvent } from "@deedkit/sync-postgres/worker"
import * as Cron from "effect/Cron"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Command from "effect/cli/Command"
import { examples, text } from "../command/SharedFlags.ts"
import type { Needs, Subcommand, Work } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"
import * as MirrorCatalogue from "../failure/MirrorCatalogue.ts"
import * as Session from "../session/Session.ts"
import { count, duration, stamped } from "../terminal/Figures.ts"
import { accountFlags, collectionsOf, defaultConcurrency, readFlags } from "./AccountList.ts"
import * as AccountList from "./AccountList.ts"
import * as Mirror from "./Mirror.ts"
import * as RunText from "./RunText.ts"
import * as WorkerMetrics from "./WorkerMetrics.ts"

const own = {
  to: text("to", "MIRROR", "Mirror to write: postgres://user@host/database"),
  ...accountFlags,
  ...readFlags,
  nightly: text(
    "nightly",
    "CRON",
    "Queue all accounts of this worker at these times, in UTC: '0 2 * * *' is at 02:00; queued once, however many workers set this",
  ),
  metrics: text(
    "metrics",
    "[HOST:]PORT",
    "Serve /healthz and /metrics at this address, for a monitor; a port alone listens on this machine only",
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
      return { event: "delayed", account: event.account, problem: event.problem, minutes: event.minutes }
    case "NightQueued":
      return { event: "night-queued", night: event.night, ...event.queued }
    case "NightFailed":
      return { event: "night-failed", night: event.night, problem: event.problem }
    case "NightEnded":
      return { event: "night-ended", night: event.night, ...event.sum }
  }
}

/** A night by its time, such as `2026-11-22 02:00 UTC`. */
export const nightName = (night: string): string => `${night.slice(0, 16).replace("T", " ")} UTC`

const linesOf = (event: WorkerEvent): ReadonlyArray<string> => {
  switch (event._tag) {
    case "Synced":
      return event.rows.map((row) => `${event.account}: ${RunText.line(row)}.`)
    case "Failed":
      return [`${event.account}: ${event.problem}`]
    case "Delayed":
      return [`${event.account}: ${event.problem} It is tried again in ${event.minutes} minutes.`]
    case "NightQueued":
      return [
        `${count(event.queued.queued, "account is", "accounts are")} queued for the night of ${nightName(event.night)}.`,
      ]
    case "NightFailed":
      return [`The night of ${nightName(event.night)} could not be queued. ${event.problem}`]
    case "NightEnded": {
      const { accounts, again, complete, failed, seconds } = event.sum
      return [
        [
          `The night of ${nightName(event.night)}: ${complete} of ${count(accounts, "account", "accounts")} complete in ${duration(seconds * 1_000)}`,
          ...(again === 0 ? [] : [`${count(again, "is", "are")} tried again`]),
          ...(failed === 0 ? [] : [`${failed} failed`]),
        ].join(", ") + ".",
      ]
    }
  }
}

const isFine = (event: WorkerEvent): boolean =>
  event._tag === "Synced" ||
  event._tag === "NightQueued" ||
  (event._tag === "NightEnded" && event.sum.complete === event.sum.accounts)

const comes = (cron: Cron.Cron): boolean => {
  try {
    Cron.next(cron)
    return true
  } catch {
    return false
  }
}

const cronOf = Effect.fnUntraced(function* (expression: string) {
  const fields = expression.trim().split(/\s+/)
  const parsed = fields.length === 5 ? Cron.parse(expression.trim(), "UTC") : Result.fail(null)
  if (Result.isFailure(parsed)) {
    return yield* usageError(
      `--nightly ${expression} is not a cron expression`,
      "Write minute, hour, day, month and weekday: `--nightly '0 2 * * *'` is every day at 02:00 UTC.",
    )
  }
  if (!comes(parsed.success))
    return yield* usageError(
      `The time of --nightly ${expression} never comes`,
      "Check its day and its month.",
    )
  return fields.join(" ")
})

const work: Work<Choices> = Effect.fn(function* (choices) {
  const { concurrency = defaultConcurrency, metrics: address, nightly, to } = choices
  const { flags, note, terminal } = yield* Session.output
  if (to === undefined || to === "")
    return yield* usageError("Missing --to MIRROR", "Add `--to postgres://user@host/database`.")
  const server = yield* Mirror.sharedServerOf(to)
  const cron = nightly === undefined ? undefined : yield* cronOf(nightly)
  const context = yield* Effect.context<Needs>()
  const list = AccountList.list(flags, choices, "interactive").pipe(
    Effect.map((listed) => new Map(listed.map((each) => [each.name, each]))),
    Effect.provideContext(context),
  )
  let known = yield* list
  const tag = Effect.suspend(() =>
    Mirror.make(to, (store) => AccountList.tagIn(store, [...known.values()])),
  ).pipe(Effect.provideContext(context))
  const listAgain = Effect.tap(list, (listed) => {
    known = listed
    // Accounts are synced without their tags, too.
    return Effect.catch(tag, ({ message }) =>
      Effect.sync(() => note(`The tags of the accounts were not stored: ${message}`)),
    )
  })
  return yield* Effect.gen(function* () {
    const metrics = yield* WorkerMetrics.serve(address, concurrency)
    yield* tag
    const send = yield* AccountList.sharedTransport
    /** The account of that name. One that is not known may be a new line of the accounts file. */
    const find = (name: string) =>
      Effect.suspend(() => {
        const found = known.get(name)
        return found === undefined ? Effect.map(listAgain, (all) => all.get(name)) : Effect.succeed(found)
      })
    const open = (name: string) =>
      Effect.gen(function* () {
        const found = yield* find(name)
        if (found === undefined) {
          return yield* usageError(
            `The queue has the account ${name}, which this worker does not know`,
            "Give all workers the same accounts.",
          )
        }
        const { client } = yield* found.open(send)
        client.listen(yield* metrics.slot)
        return client
      }).pipe(Effect.provideContext(context))
    const listen = Effect.fnUntraced(function* (event: WorkerEvent) {
      metrics.listen(event)
      if (flags.json) return yield* Effect.ignore(terminal.json(Json.stringify(documentOf(event))))
      for (const line of linesOf(event))
        note(stamped(line, Date.now(), terminal.isLogged), isFine(event) ? undefined : "yellow")
    })
    const engine = yield* Effect.promise(() => import("@deedkit/sync-postgres/worker"))
    note(
      `Working for ${Mirror.nameOf(to)}, ${count(concurrency, "account", "accounts")} at once. SIGTERM or Ctrl-C ends it.`,
    )
    return yield* engine.work({
      ...server,
      open,
      listen,
      observe: (state) => Effect.sync(() => metrics.observe(state)),
      concurrency,
      sync: { data: choices.data, pageSize: choices.pageSize },
      lists: (name) =>
        Effect.map(Effect.option(find(name)), (found) =>
          collectionsOf(choices, Option.getOrUndefined(found)?.lists),
        ),
      nightly:
        cron === undefined ? undefined : { cron, accounts: Effect.map(listAgain, (all) => [...all.keys()]) },
    })
  }).pipe(Effect.scoped, Effect.catchTag("SyncError", MirrorCatalogue.failureOf))
})

export const worker: Subcommand<"worker"> = Command.make("worker", own, work).pipe(
  Command.withDescription(
    "Sync queued accounts into a mirror in PostgreSQL, on as many machines as you like",
  ),
  examples(`
    # Work until SIGTERM or Ctrl-C
    deedkit sync worker --accounts accounts.jsonl --to postgres://user@host/database
    # Also queue every account at night
    deedkit sync worker --accounts accounts.jsonl --to postgres://user@host/database --nightly '0 2 * * *'
    # With /healthz and /metrics for a monitor
    deedkit sync worker --accounts accounts.jsonl --to postgres://user@host/database --metrics 9464
  `),
)
