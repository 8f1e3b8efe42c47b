/** A read as a stream, for the Effect entry. Every run of the stream is a separate read, which ends with the stream's scope. */
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Page } from "../pagination/Page.ts"
import type { PagePuller } from "../pagination/reading/Pagination.ts"

/** Makes the stream. `give` selects what the consumer gets from a page, as one chunk; a page with an empty chunk is skipped. */
export const make = <A, B, E>(
  open: Effect.Effect<PagePuller<A, E>, E>,
  give: (page: Page<A>) => ReadonlyArray<B>,
): Stream.Stream<B, E> =>
  Stream.fromChannel(
    Channel.fromTransform((_upstream: unknown, scope) =>
      Effect.flatMap(open, ({ close, next }) => {
        const pull: Pull.Pull<readonly [B, ...Array<B>], E> = Effect.flatMap(next, (page) => {
          if (page === null) return Cause.done()
          const chunk = give(page) as readonly [B, ...Array<B>]
          return chunk.length > 0 ? Effect.succeed(chunk) : pull
        })
        return Effect.as(Scope.addFinalizer(scope, close), pull)
      }),
    ),
  )
