/**
 * A transport on Effect's `HttpClient`, for programs that have their own middleware on it. `effect/http` is marked unstable, so this is a
 * separate entry.
 *
 * The client's tracing headers are off: the service does not need them, and in a browser they cause a CORS preflight request. Its spans are off
 * too, because each attempt already has one, with a redacted URL.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { decode } from "./transport/decoding.ts"
import { alarm } from "./transport/timer.ts"
import type { Send, TransportRequest, TransportResponse } from "./transport/Transport.ts"
import { codeOf, detailOf, joined, Transport, TransportFault } from "./transport/Transport.ts"

/** Reads the bytes of a body as they arrive. Fails once there are more than `maxBodyBytes`, and after a silence of `idleMillis`. */
const readBody = (
  body: Stream.Stream<Uint8Array, HttpClientError>,
  { idleMillis, maxBodyBytes }: TransportRequest,
  head: Pick<TransportResponse, "status" | "header">,
): Effect.Effect<Uint8Array, TransportFault> =>
  Effect.suspend(() => {
    const parts: Array<Uint8Array> = []
    let bytes = 0
    let restart = (): void => {}
    const idle = Effect.callback<never, TransportFault>((resume) => {
      const silence = new TransportFault("idle", "no data arrived", { head })
      const timer = alarm(idleMillis, () => resume(Effect.fail(silence)))
      restart = timer.restart
      return Effect.sync(timer.stop)
    })
    const broken = (cause: HttpClientError | TransportFault) =>
      cause instanceof TransportFault
        ? cause
        : new TransportFault("body", detailOf(cause), { code: codeOf(cause), head })
    const read = body.pipe(
      Stream.runForEach((part) => {
        restart()
        parts.push(part)
        bytes += part.byteLength
        return bytes > maxBodyBytes
          ? Effect.fail(new TransportFault("too-large", "the body is too large", { head }))
          : Effect.void
      }),
      Effect.catchIf(isEmpty, () => Effect.void),
      Effect.mapError(broken),
    )
    return Effect.map(Effect.raceFirst(read, idle), () => joined(parts, bytes))
  })

const isEmpty = (cause: HttpClientError | TransportFault): cause is HttpClientError =>
  !(cause instanceof TransportFault) && cause.reason._tag === "EmptyBodyError"

/**
 * Makes the transport. Turn off retries and status checks of the given client: the attempt loop does both. Effect's own fetch client follows no
 * redirect and uses no HTTP cache here. Make sure that another client does neither: the key is bound to one origin, and a cached answer may
 * belong to another key. The limits on size and silence apply here. The connect limit does not, because `HttpClient` does not report when it is
 * connected.
 */
export const make: Effect.Effect<Send, never, HttpClient.HttpClient> = Effect.map(
  Effect.context<HttpClient.HttpClient>(),
  (context) => {
    const client = Context.get(context, HttpClient.HttpClient)
    const runPromiseExit = Effect.runPromiseExitWith(
      context.pipe(
        Context.add(HttpClient.TracerPropagationEnabled, false),
        Context.add(HttpClient.TracerDisabledWhen, () => true),
        Context.add(FetchHttpClient.RequestInit, {
          redirect: "manual",
          credentials: "omit",
          cache: "no-store",
        }),
      ),
    )
    const answer = Effect.fnUntraced(function* (request: TransportRequest) {
      const response = yield* client.execute(
        HttpClientRequest.get(request.url).pipe(HttpClientRequest.setHeaders(request.headers)),
      )
      const header = (name: string): string | null => response.headers[name] ?? null
      const head = { status: response.status, header }
      const decoded = decode(yield* readBody(response.stream, request, head), header("content-type"))
      return { ...head, ...decoded } satisfies TransportResponse
    })
    return async (request, { signal }) => {
      const exit = await runPromiseExit(answer(request), { signal })
      if (Exit.isSuccess(exit)) return exit.value
      throw Cause.squash(exit.cause)
    }
  },
)

/** Provides the transport from the `HttpClient` in the environment. */
export const layer: Layer.Layer<never, never, HttpClient.HttpClient> = Layer.effect(Transport, make)
