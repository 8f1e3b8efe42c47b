/** Releases grants that no site and no account's service needs any more. */
import * as Effect from "effect/Effect"
import { patternOf } from "../../messages/OriginPattern.ts"
import * as AccountList from "./AccountList.ts"
import type { Service as Platform } from "../browser/Platform.ts"
import type { Service as Registry } from "./Registry.ts"

/** Releases the grant of an origin, unless something in the record needs it. */
export const release = (
  { get }: Pick<Registry, "get">,
  platform: Pick<Platform, "release">,
  origin: string,
): Effect.Effect<void> =>
  Effect.flatMap(get, (list) => {
    const pattern = patternOf(origin)
    const isNeeded = AccountList.origins(list).map(patternOf).includes(pattern)
    return isNeeded ? Effect.void : Effect.promise(() => platform.release({ origins: [pattern] }))
  })
