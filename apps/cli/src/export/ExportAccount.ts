/**
 * Whose records an export reads: the profile, and what the service says about the key's holder. Asked once, before the first page. A failure
 * never ends the export: its manifest says why nothing is known (Spec: Endpoints 7 leave shape and scope open).
 */
import { Account } from "@deedkit/export"
import type { PropertyClient } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as ReasonText from "../failure/ReasonText.ts"
import type { Sources } from "../session/Settings.ts"

/** An answer that takes longer is not waited for. */
const mostSeconds = 10

/** The profile whose key is used; null where the key comes from elsewhere. */
export const profileOf = ({ apiKey, own }: Pick<Sources, "apiKey" | "own">): string | null =>
  own !== null && apiKey?.source === `profile ${own.name}` ? own.name : null

/** Asks. Never fails. */
export const ask = (
  { me, redact }: Pick<PropertyClient.Service, "me" | "redact">,
  profile: string | null,
): Effect.Effect<Account.Caller> => {
  const unknown = (meReason: string): Account.Caller => ({ profile, me: null, meReason })
  return me.pipe(
    Effect.map((answer): Account.Caller => ({ profile, me: Account.meOf(answer, redact), meReason: null })),
    Effect.catch(({ reason }) => Effect.succeed(unknown(Account.clean(ReasonText.words(reason), redact)))),
    Effect.timeoutOrElse({
      duration: `${mostSeconds} seconds`,
      orElse: () => Effect.succeed(unknown(`no answer within ${mostSeconds} s`)),
    }),
  )
}
