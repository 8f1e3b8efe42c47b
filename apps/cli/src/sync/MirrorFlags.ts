/** The flags of commands that read a mirror instead of the service. `MirrorSource` applies them. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Command from "effect/cli/Command"
import { checked, text } from "../command/SharedFlags.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import * as Since from "./Since.ts"

export const mirrorFlags = {
  from: text(
    "from",
    "MIRROR",
    "Read a mirror instead of the service: its file, or its address in PostgreSQL",
  ),
  asOf: checked(
    "as-of",
    "DATE",
    Since.shape,
    (moment) => Since.isSince(moment),
    "With --from: the records as the mirror knew them at a date (00:00 UTC), at a UTC time, or a span such as 7d before now; default: as its last read left them",
  ),
  account: text("account", "NAME", "With --from: the account, if the mirror has several"),
} as const

export type MirrorChoices = Command.Command.Config.Infer<typeof mirrorFlags>

/** The moment of `--as-of`, null without it, and the moment for which ages are computed. */
export interface Moment {
  readonly asOf: string | null
  readonly nowMillis: number
}

/** The flags, and when a command that runs in several parts has started; undefined is now. */
interface MomentChoices extends MirrorChoices {
  readonly startedAt?: number | undefined
}

/** Checks the flags, and resolves the moment. */
export const momentOf = Effect.fnUntraced(function* ({
  account,
  asOf,
  from,
  startedAt,
}: MomentChoices): Effect.fn.Return<Moment, Failure> {
  const nowMillis = startedAt ?? (yield* Clock.currentTimeMillis)
  const alone = asOf !== undefined ? "--as-of" : account !== undefined ? "--account" : null
  if (from === undefined && alone !== null) {
    return yield* usageError(
      `${alone} is for a mirror, but the service would be read`,
      "Add --from MIRROR, such as --from mirror.sqlite.",
    )
  }
  if (asOf === undefined) return { asOf: null, nowMillis }
  const moment = Since.moment(asOf, nowMillis)
  if (Date.parse(moment) > nowMillis) {
    return yield* usageError(
      `--as-of ${asOf} is in the future`,
      "Choose a moment that has passed, or leave it out.",
    )
  }
  return { asOf: moment, nowMillis: Date.parse(moment) }
})
