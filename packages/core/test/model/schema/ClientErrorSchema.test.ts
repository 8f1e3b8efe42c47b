import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { ClientError } from "../../../src/error/ClientError.ts"
import { ClientErrorSchema, ReasonSchema } from "../../../src/model/schema/ClientErrorSchema.ts"
import { reasons } from "../../fixtures/reasons.ts"
import { world } from "../../fixtures/Setup.ts"

const encode = Schema.encodeSync(ClientErrorSchema)
const decode = Schema.decodeSync(ClientErrorSchema)
const crossed = (error: ClientError): ClientError => decode(JSON.parse(JSON.stringify(encode(error))))

describe("ReasonSchema", () => {
  it.each(reasons.map((reason) => [reason._tag, reason] as const))(
    "%s: is its own encoded form",
    (_, reason) => {
      expect(Schema.encodeSync(ReasonSchema)(reason)).toEqual(reason)
      expect(Schema.decodeSync(ReasonSchema)(JSON.parse(JSON.stringify(reason)))).toEqual(reason)
    },
  )

  it("refuses what is no reason", () => {
    expect(Schema.is(ReasonSchema)({ _tag: "Unheard" })).toBe(false)
    expect(Schema.is(ReasonSchema)({ _tag: "NotFound", status: "404", serverSays: null })).toBe(false)
  })
})

describe("ClientErrorSchema", () => {
  it.each(reasons.map((reason) => [reason._tag, reason] as const))(
    "%s: crosses a message port as JSON and is a ClientError again",
    (_, reason) => {
      const error = new ClientError({ reason, request: null, requestId: null, attempts: [], reading: null })
      expect(crossed(error)).toBeInstanceOf(ClientError)
      expect(crossed(error).toJSON()).toEqual(error.toJSON())
    },
  )

  it.each([
    ["server-error", { name: "server-error" }],
    ["missing-next on page 2", { name: "missing-next", when: { page: 2 } }],
    ["drop", { name: "drop" }],
    ["rate-limit for an hour", { name: "rate-limit", retryAfter: 3_600 }],
    ["empty pages", { name: "empty-page", count: 9 }],
  ] as const)("an error of a real read crosses with its attempts and its summary: %s", async (_, fault) => {
    const { client, fails } = await world({ emulator: { faults: [fault] } })
    const error = await fails(client.contracts.collect({ max: "all" }))
    expect(error.reading?.complete).toBe(false)
    expect(crossed(error).toJSON()).toEqual(error.toJSON())
  })
})
