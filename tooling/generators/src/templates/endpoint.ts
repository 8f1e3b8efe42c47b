/** The texts of a new endpoint: one object with an id and a name, as an assumption on both sides until the specification says more. */
import type { Name } from "../plan/Name.ts"

/** Its value among the requests of the service. */
export const request = ({ camel, kebab, snake, words }: Name): string => `
/** One object. What it needs and answers is an assumption: the specification does not describe it. */
export const ${camel}: ServiceRequest = {
  method: "GET",
  path: "/v1/${kebab}/",
  query: [],
  form: "retrieve",
  scope: null,
  member: "${snake}",
  subject: "the ${words}",
}

`

export const model = ({ kebab, pascal, words }: Name): string => `
/** The answer of \`GET /v1/${kebab}/\`. Its members are an assumption: the specification does not describe it. */
import type { Issue } from "./check.ts"
import { integer, object, text } from "./check.ts"

/** The ${words}, as the service sends it. */
export interface ${pascal} {
  readonly id: number
  readonly name: string
}

const expected = object({ id: integer, name: text })

/** What is wrong with a value, by path; empty where it is as expected. */
export const issues = (value: unknown): ReadonlyArray<Issue> => expected(value, "")

/** Whether a JSON value has every member, each of its type. */
export const is${pascal} = (value: unknown): value is ${pascal} => issues(value).length === 0
`

export const modelTest = ({ pascal }: Name): string => `
import { describe, expect, it } from "vitest"
import { is${pascal}, issues } from "../../src/model/${pascal}.ts"

const good = { id: 1, name: "one" }

describe("is${pascal}", () => {
  it("takes what has every member, and more", () => {
    expect(is${pascal}({ ...good, more: null })).toBe(true)
  })
})

describe("issues", () => {
  it.each([
    [null, [{ path: "", expected: "object", found: "null" }]],
    [{ ...good, id: 1.5 }, [{ path: "id", expected: "integer", found: "number with a fraction" }]],
    [{ id: 1 }, [{ path: "name", expected: "string", found: "nothing" }]],
  ])("names what is wrong with %j", (value, found) => {
    expect(issues(value)).toEqual(found)
    expect(is${pascal}(value)).toBe(false)
  })
})
`

export const operation = ({ camel, pascal, snake }: Name): string => `
/** Makes the operation \`${camel}\`: one request, whose answer holds one object under \`${snake}\`. */
import * as Effect from "effect/Effect"
import type { Check } from "../answer/Check.ts"
import { idOf } from "../answer/envelope.ts"
import type { Caller } from "../call/Caller.ts"
import type { CallOptions } from "../call/ClientOptions.ts"
import { withCaller } from "../call/withCaller.ts"
import type { ClientError } from "../error/ClientError.ts"
import * as ServiceRequest from "../model/ServiceRequest.ts"
import type { ${pascal} } from "../model/${pascal}.ts"
import { is${pascal}, issues } from "../model/${pascal}.ts"

const check: Check<${pascal}> = (_, exact) => {
  const value = exact()["${snake}"]
  return is${pascal}(value)
    ? { _tag: "Value", value }
    : { _tag: "Failed", reason: { _tag: "RecordInvalid", id: idOf(value), issues: issues(value) } }
}

/** Fails with \`RecordInvalid\` when the object is not as expected. */
export const ${camel}Of =
  (caller: Caller) =>
  (options?: CallOptions): Effect.Effect<${pascal}, ClientError> => {
    const ask = (using: Caller) =>
      Effect.map(using.call(ServiceRequest.${camel}, check, "interactive"), ({ value }) => value)
    return withCaller(caller, "call", options, ask, Effect.fail)
  }
`

export const operationTest = ({ camel, kebab, snake }: Name): string => `
import { describe, expect, it } from "vitest"
import { createClient } from "../../src/promise.ts"
import { scripted } from "../../src/testing/index.ts"
import { baseUrl, world } from "../fixtures/Setup.ts"

describe("${camel}", () => {
  it("is read with one request", async () => {
    const { client, emulator, run } = await world()
    expect(await run(client.${camel}())).toMatchObject({ id: 1 })
    expect(emulator.journal.entries.map(({ path, query }) => [path, query])).toEqual([["/v1/${kebab}/", {}]])
  })

  it("is read without Effect too", async () => {
    const { emulator } = await world()
    const { apiKey, fetch } = emulator
    await using client = createClient({ baseUrl, apiKey, fetch, rate: 0 })
    expect(await client.${camel}()).toMatchObject({ id: 1 })
  })

  it.each([
    ["a wrong member", { ok: true, ${snake}: { id: 7 } }, 7, "name"],
    ["nothing", { ok: true }, null, ""],
  ])("fails with RecordInvalid for an answer with %s", async (_, body, id, path) => {
    const { client, fails } = await world({ transport: scripted([{ body }]).send })
    expect((await fails(client.${camel}())).reason).toMatchObject({ _tag: "RecordInvalid", id, issues: [{ path }] })
  })
})
`

/** Its member in the type of a client. */
export const member = ({ camel, words }: Name, type: string): string =>
  `  /** The ${words}. Its members are an assumption: the specification does not describe it. */\n  readonly ${camel}: ${type}\n`

/** Its model among the exports of the package. */
export const exported = ({ pascal, words }: Name): string =>
  `/** The ${words}: its type and its check. */\nexport * as ${pascal} from "./model/${pascal}.ts"\n`

export const route = ({ camel, kebab, pascal, snake, words }: Name): string => `
/** \`GET /v1/${kebab}/\`: the ${words}. Its path, scope and members are assumptions: the specification does not describe it. */
import type { Route } from "./Exchange.ts"

/** Answers every key. */
export const ${camel}: Route = {
  scope: () => null,
  parameters: {},
  answer: () => ({ kind: "single", body: { ok: true, ${snake}: { id: 1, name: "${pascal}" } } }),
}
`

export const routeTest = ({ kebab, pascal, snake }: Name): string => `
import { make } from "@deedkit/emulator"
import { expect, it } from "vitest"
import { read, statusOf } from "../asking.ts"

const path = "/v1/${kebab}/"

it("answers one object", async () => {
  expect(await read(make(), path)).toEqual({ ok: true, ${snake}: { id: 1, name: "${pascal}" } })
})

it("answers every key that is not revoked, and nobody without one", async () => {
  const emulator = make()
  const { noScopes, revoked } = emulator.secrets
  const statuses = [noScopes, revoked, null].map((key) => statusOf(emulator, path, key))
  expect(await Promise.all(statuses)).toEqual([200, 401, 401])
})
`
