/** A transport on Effect's `HttpClient`, for programs that have middleware there. The module is marked unstable, so core has none itself. */
import { Transport } from "@deedkit/core"
import { createClient } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"

/** Retries and status checks of the given client must be off: core does both. */
const transport: Effect.Effect<Transport.Send, never, HttpClient.HttpClient> = Effect.map(
  Effect.context<HttpClient.HttpClient>(),
  (context) => {
    const client = Context.get(context, HttpClient.HttpClient)
    const run = Effect.runPromiseWith(
      context.pipe(
        // Headers of a trace would cause a CORS preflight request, and each attempt has a span already.
        Context.add(HttpClient.TracerPropagationEnabled, false),
        Context.add(HttpClient.TracerDisabledWhen, () => true),
        // The key is bound to one origin, and a cached answer may belong to another key.
        Context.add(FetchHttpClient.RequestInit, { redirect: "manual", cache: "no-store" }),
      ),
    )
    const answer = Effect.fnUntraced(function* ({ headers, maxBodyBytes, url }: Transport.TransportRequest) {
      const request = HttpClientRequest.setHeaders(HttpClientRequest.get(url), headers)
      const response = yield* client.execute(request)
      const text = yield* response.text
      if (text.length > maxBodyBytes) throw new Transport.TransportFault("too-large", "the body is too large")
      return { status: response.status, header: (name: string) => response.headers[name] ?? null, text }
    })
    return (request, { signal }) => run(answer(request), { signal })
  },
)

const emulator = make({ contracts: 120 })
const logged = HttpClient.tapRequest((request: HttpClientRequest.HttpClientRequest) =>
  Effect.sync(() => console.log(request.method, new URL(request.url).pathname)),
)
const send = await transport.pipe(
  Effect.updateService(HttpClient.HttpClient, logged),
  Effect.provide(FetchHttpClient.layer),
  Effect.provideService(FetchHttpClient.Fetch, (input, init) => emulator.fetch(new Request(input, init))),
  Effect.runPromise,
)
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.apiKey,
  transport: send,
})
console.log((await client.contracts.collect({ max: "all" })).length, "contracts")

// Output:
// => GET /v1/contracts/
// => GET /v1/contracts/
// => GET /v1/contracts/
// => 120 contracts
