/** `deedkit sync backup MIRROR FILE`: copies a mirror in a file while it is in use. Sends nothing. */
import { backup as copy } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { examples, toggle } from "../command/SharedFlags.ts"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"
import * as MirrorCatalogue from "../failure/MirrorCatalogue.ts"
import * as Session from "../session/Session.ts"
import { bytes as sizeOf, count } from "../terminal/Figures.ts"
import { placeOf } from "./Mirror.ts"

const own = {
  mirror: Argument.String("MIRROR").pipe(Argument.withDescription("The file of the mirror")),
  file: Argument.String("FILE").pipe(Argument.withDescription("The file of the copy")),
  overwrite: toggle("overwrite", "Replace an existing file"),
} as const

const work: Work<Command.Command.Config.Infer<typeof own>> = Effect.fn(function* ({
  file,
  mirror,
  overwrite,
}) {
  for (const each of [mirror, file])
    if (!("path" in (yield* placeOf(each)))) {
      return yield* usageError(
        "`sync backup` copies a mirror in a file",
        "A mirror in PostgreSQL is copied with `pg_dump --schema=deedkit`.",
      )
    }
  const { accounts, bytes } = yield* copy({ from: mirror, to: file, isReplaced: overwrite }).pipe(
    Effect.catchTag("SyncError", MirrorCatalogue.failureOf),
  )
  yield* Session.finish(
    { mirror, file, accounts, bytes },
    `${file}: ${count(accounts, "account", "accounts")} of ${mirror}, ${sizeOf(bytes)}.`,
  )
})

export const backup: Subcommand<"backup"> = Command.make("backup", own, work).pipe(
  Command.withDescription("Copy a mirror in a file, also while it is in use"),
  examples(`
    deedkit sync backup mirror.sqlite backup.sqlite --overwrite  # Every night
    deedkit sync backup backup.sqlite mirror.sqlite --overwrite  # Restore it, while no sync runs
  `),
)
