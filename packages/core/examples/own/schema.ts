/** Records of a Schema of your own: dates as moments, and what your tool needs of a contract. Others are rejected. */
import { contractFields, PropertyClient, Transport } from "@deedkit/core"
import * as OpenClient from "@deedkit/core/open"
import { make } from "@deedkit/emulator"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

const Rental = Schema.Struct({
  ...contractFields,
  kind: Schema.Literal("rent"),
  updated_at: Schema.DateTimeUtcFromString,
})

const program = Effect.gen(function* () {
  const client = OpenClient.of(yield* PropertyClient.PropertyClient)
  const rentals = client.contracts.as(Rental)
  yield* Stream.runForEach(rentals.pages({ limit: 60, onRejected: "collect" }), (page) =>
    Effect.sync(() => {
      const latest = Math.max(
        ...page.records.map(({ updated_at }) => DateTime.getPartUtc(updated_at, "year")),
      )
      const paths = new Set(page.rejected.flatMap(({ issues }) => issues.map(({ path }) => path)))
      console.log(
        `${page.records.length} rentals, the latest of ${latest}; rejected by ${[...paths].join(", ")}`,
      )
    }),
  )
})

const emulator = make({ contracts: 120 })
const client = PropertyClient.layer({ baseUrl: "https://api.example.test", apiKey: emulator.apiKey })
await Effect.runPromise(
  program.pipe(
    Effect.provide(client),
    Effect.provideService(Transport.Transport, Transport.viaFetch(emulator.fetch)),
  ),
)

// Output:
// => 39 rentals, the latest of 2025; rejected by kind
// => 41 rentals, the latest of 2025; rejected by kind
