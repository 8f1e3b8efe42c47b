/**
 * A transport on Effect's `HttpClient`, for programs that have their own middleware there. `effect/http` is marked unstable, which is
 * why this is an entry of its own.
 *
 * The client's tracing headers are off: the service does not need them, and in a browser they cause a CORS preflight request. So are its
 * spans: each attempt has one already, with a redacted URL.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import { decode } from "./transport/decoding.ts"
import type { Send, TransportResponse } from "./transport/Transport.ts"
import { codeOf, detailOf, Transport, TransportFault } from "./transport/Transport.ts"

/**
 * Makes the transport. Turn off retries and status checks of the given client: the attempt loop does both. Effect's own fetch client
 * follows no redirect and uses no HTTP cache here. Make sure that another client does neither: the key is bound to one origin, and a cached
 * answer may be of another key.
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
    const answer = (url: string, headers: Readonly<Record<string, string>>, maxBodyBytes: number) =>
      Effect.gen(function* () {
        const response = yield* client.execute(
          HttpClientRequest.get(url).pipe(HttpClientRequest.setHeaders(headers)),
        )
        const header = (name: string): string | null => response.headers[name] ?? null
        const head = { status: response.status, header }
        const body = yield* Effect.mapError(
          response.arrayBuffer,
          (cause) => new TransportFault("body", detailOf(cause), { code: codeOf(cause), head }),
        )
        if (body.byteLength > maxBodyBytes) {
          return yield* Effect.fail(new TransportFault("too-large", "the body is too large", { head }))
        }
        const decoded = decode(new Uint8Array(body), header("content-type"))
        return { ...head, ...decoded } satisfies TransportResponse
      })
    return async ({ headers, maxBodyBytes, url }, { signal }) => {
      const exit = await runPromiseExit(answer(url, headers, maxBodyBytes), { signal })
      if (Exit.isSuccess(exit)) return exit.value
      throw Cause.squash(exit.cause)
    }
  },
)

/** Provides the transport from the `HttpClient` in the environment. */
export const layer: Layer.Layer<never, never, HttpClient.HttpClient> = Layer.effect(Transport, make)
