/**
 * The account of an export: the profile, and what `/v1/me/` says about the key's holder. Requested once, before the first page. A failure does
 * not end the export: its manifest gives the reason (Spec: Endpoints 7 leave shape and scope open).
 */
import { Account } from "@deedkit/export"
import type { PropertyClient } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Catalogue from "../failure/Catalogue.ts"
import type { Sources } from "../session/Settings.ts"

/** A slower response is not awaited. */
const mostSeconds = 10

/** The profile whose key is used; null where the key comes from elsewhere. */
export const profileOf = ({ apiKey, own }: Pick<Sources, "apiKey" | "own">): string | null =>
  own !== null && apiKey?.source === `profile ${own.name}` ? own.name : null

/** Requests `/v1/me/`. Never fails. */
export const ask = (
  { me, redact }: Pick<PropertyClient.Service, "me" | "redact">,
  profile: string | null,
): Effect.Effect<Account.Caller> => {
  const unknown = (meReason: string): Account.Caller => ({ profile, me: null, meReason })
  return me().pipe(
    Effect.map((answer): Account.Caller => ({ profile, me: Account.meOf(answer, redact), meReason: null })),
    Effect.catch(({ reason }) =>
      Effect.succeed(unknown(Account.clean(Catalogue.ofClient(reason).headline, redact))),
    ),
    Effect.timeoutOrElse({
      duration: `${mostSeconds} seconds`,
      orElse: () => Effect.succeed(unknown(`no answer within ${mostSeconds} s`)),
    }),
  )
}
