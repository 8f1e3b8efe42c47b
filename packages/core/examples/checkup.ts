/** A checkup: how a server behaves where its specification is silent. Stages are chosen, and findings are values without words. */
import { PropertyClient, Transport } from "@deedkit/core"
import * as Checkup from "@deedkit/core/checkup"
import { make } from "@deedkit/emulator"
import * as Effect from "effect/Effect"

const emulator = make({ contracts: 120, assumptions: { cursorParameter: "after" } })
const observer = Checkup.ObservedAnswers.make(25)
const send = observer.wrap(Transport.viaFetch(emulator.fetch))

const checkup = Effect.gen(function* () {
  const client = yield* PropertyClient.make({
    baseUrl: "https://api.example.test",
    apiKey: emulator.secrets.contractsOnly,
    cursorParam: "auto",
  })
  const stages = [Checkup.connection, Checkup.key, Checkup.cursor, Checkup.clock(observer.answers)]
  yield* Checkup.run(Checkup.begin(client), stages, (findings) =>
    Effect.sync(() => {
      for (const finding of findings) {
        const { _tag, error } = finding
        const what = _tag === "Scope" ? `${_tag} ${finding.endpoint}` : _tag
        if (error !== null) console.log(`${what}: ${error.reason._tag}`)
        else if (_tag === "CursorParameter" && finding.found?._tag === "Verified")
          console.log(`${what}: ${finding.assumed} was tried, ${finding.found.parameter} works`)
        else console.log(`${what}: nothing failed`)
      }
    }),
  )
})
await Effect.runPromise(Effect.provideService(checkup, Transport.Transport, send))
console.log(observer.requests(), "requests")

// Output:
// => Address: nothing failed
// => Tls: nothing failed
// => Key: nothing failed
// => Scope me: Forbidden
// => Scope contracts: nothing failed
// => Scope api-keys: Forbidden
// => CursorParameter: before_id was tried, after works
// => Clock: nothing failed
// => 10 requests
