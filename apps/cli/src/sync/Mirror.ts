/** Opens a mirror that there is, for commands that only read it. */
import { sqliteStore } from "@deedkit/sync"
import type { MirrorStore, SyncError } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type { Failure } from "../failure/Failure.ts"
import * as MirrorCatalogue from "../failure/MirrorCatalogue.ts"

/** Uses a mirror, and closes it. */
export const read = <A>(
  path: string,
  work: (store: MirrorStore) => Effect.Effect<A, SyncError>,
): Effect.Effect<A, Failure> =>
  Effect.scoped(Effect.flatMap(sqliteStore({ path, isReadOnly: true }), work)).pipe(
    Effect.catchTag("SyncError", (error) => Effect.fail(MirrorCatalogue.failureOf(error))),
  )
