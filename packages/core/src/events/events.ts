/** The events of a client as a stream. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { ClientEvent } from "./ClientEvent.ts"
import type { Listeners } from "./Listeners.ts"

/** The events that a listener would get while the stream runs. */
export const streamOf = (listen: Listeners["add"]): Stream.Stream<ClientEvent> =>
  Stream.callback<ClientEvent>((queue) =>
    Effect.acquireRelease(
      Effect.sync(() => listen((event) => void Queue.offerUnsafe(queue, event))),
      (unlisten) => Effect.sync(unlisten),
    ),
  )
