/** `deedkit sync --queue`: queues the accounts for the workers of the mirror, and sends no request to the service. */
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import { root } from "../../command/Root.ts"
import type { CommandError, Needs } from "../../command/Subcommand.ts"
import { usageError } from "../../failure/Failure.ts"
import * as MirrorCatalogue from "../../failure/MirrorCatalogue.ts"
import * as Session from "../../session/Session.ts"
import { count } from "../../terminal/Figures.ts"
import { Terminal } from "../../terminal/Terminal.ts"
import type { ReadChoices } from "../mirror/AccountFlags.ts"
import type { Listed } from "../mirror/AccountList.ts"
import { placeOf } from "../mirror/OpenMirror.ts"

interface QueueChoices extends ReadChoices {
  readonly night: string | undefined
  readonly sameAccount: ReadonlyArray<string>
}

/** Flags that say how accounts are read: a worker has its own. */
const ofWorker = ({ concurrency, data, only, pageSize, sameAccount }: QueueChoices): string | undefined =>
  [
    ...(only === undefined ? [] : ["--only"]),
    ...(data ? ["--data"] : []),
    ...(concurrency === undefined ? [] : ["--concurrency"]),
    ...(pageSize === undefined ? [] : ["--page-size"]),
    ...(sameAccount.length === 0 ? [] : ["--same-account"]),
  ][0]

/** Queues the accounts and reports the result. */
export const queue: (
  to: string,
  listed: ReadonlyArray<Listed>,
  choices: QueueChoices,
) => Effect.Effect<void, CommandError, Needs> = Effect.fn(function* (to, listed, choices) {
  const flags = yield* root
  const terminal = yield* Terminal
  const misplaced = ofWorker(choices)
  if (misplaced === "--same-account") {
    return yield* usageError(
      "--queue and --same-account cannot be combined",
      "Confirm the account with a sync of it alone, without --queue.",
    )
  }
  if (misplaced !== undefined) {
    return yield* usageError(
      `--queue and ${misplaced} cannot be combined`,
      `Start the workers with ${misplaced}: \`deedkit sync worker ${misplaced} ...\`.`,
    )
  }
  const place = yield* placeOf(to)
  const cluster = yield* Effect.promise(() => import("@deedkit/sync-postgres/cluster"))
  const accounts = listed.map(({ name }) => name)
  const done = yield* cluster
    .queue({ ...place, accounts, night: choices.night })
    .pipe(Effect.catchTag("SyncError", (error) => Effect.fail(MirrorCatalogue.failureOf(error))))
  if (flags.json) return yield* terminal.json(Json.stringify({ mirror: to, ...done }, 2))
  const note = Session.note(terminal, flags)
  const { night, queued, synced, waiting } = done
  note(
    [
      `${count(queued, "account is", "accounts are")} queued for the night ${night}`,
      ...(waiting === 0 ? [] : [`${count(waiting, "is", "are")} in the queue already`]),
      ...(synced === 0 ? [] : [`${count(synced, "was", "were")} synced in it`]),
    ].join(", ") + ".",
  )
})
