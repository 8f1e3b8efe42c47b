import { inspect } from "node:util"
import { kinds } from "@deedkit/emulator"
import type { Fault } from "@deedkit/emulator"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { describe, expect, it } from "vitest"
import { contract } from "../../src/testing/Fixtures.ts"
import { createClient } from "../../src/promise.ts"
import type { ClientError } from "../../src/ClientError.ts"
import { line } from "../../src/ClientEvent.ts"
import type { Fetch } from "../../src/Transport.ts"
import { TransportFault } from "../../src/Transport.ts"
import { baseUrl, failure, readList, world } from "../fixtures/Setup.ts"
import { recorder } from "../fixtures/Spans.ts"
import type { RecordedSpan } from "../fixtures/Spans.ts"
import type { World, WorldOptions } from "../fixtures/Setup.ts"

/** Everything that a program might write down of an error. */
const shown = (error: ClientError): ReadonlyArray<string> => [
  error.message,
  String(error),
  error.stack ?? "",
  JSON.stringify(error),
  JSON.stringify(Object.fromEntries(Object.entries(error))),
  inspect(error, { depth: null, showHidden: true }),
  inspect(error.toJSON(), { depth: null }),
]

/** The key, and every part of it that is long enough to be told from chance. */
const partsOf = (key: string): ReadonlyArray<string> => [
  key,
  ...Array.from({ length: Math.max(0, key.length - 7) }, (_, at) => key.slice(at, at + 8)),
]

/** The beginning of the first text that holds the key or a part of it. */
const leakIn = (texts: ReadonlyArray<string>, key: string): string | undefined => {
  const parts = partsOf(key)
  return texts.find((text) => parts.some((part) => text.includes(part)))?.slice(0, 400)
}

/** A text of a value that may hold itself, big integers, maps and errors. */
const whole = (value: unknown): string =>
  inspect(value, { depth: null, maxArrayLength: null, showHidden: true })

/** Runs programs with a tracer, and gives what it and the log of events were told. */
const observed = ({ events, run }: World) => {
  const { spans, traced } = recorder()
  const observe: World["run"] = (effect) => run(traced(effect))
  const told = (): ReadonlyArray<string> => {
    expect(Math.min(spans.length, events.length)).toBeGreaterThan(0)
    return [...events.map(line), ...spans.map(shownSpan)]
  }
  return { observe, told }
}

/** All that an exporter could send of a span. */
const shownSpan = ({ attributes, events, links, name, status }: RecordedSpan): string => {
  const exit = status._tag === "Ended" ? status.exit : null
  const errors = exit !== null && Exit.isFailure(exit) ? Cause.prettyErrors(exit.cause) : []
  return whole([name, attributes, events, links.length, exit, errors, errors.map(({ stack }) => stack)])
}

/** Reads everything that there is to read, and gives all that a program could show of it. */
const readAll = async (options: WorldOptions) => {
  const made = await world(options)
  const { observe, told: observations } = observed(made)
  const it = { ...made, run: observe }
  const id = it.emulator.store.contracts[0]?.id ?? 1
  const texts: Array<string> = []
  const { error, pages } = await it.run(readList(it.client.contracts.pages({ onRejected: "collect" })))
  texts.push(JSON.stringify(pages.map(({ checkpoint, summary }) => ({ checkpoint, summary }))))
  if (error !== null) texts.push(...shown(error))
  const operations: ReadonlyArray<Effect.Effect<unknown, ClientError>> = [
    it.client.contracts.get(id),
    it.client.apiKeys.collect({ max: "all" }),
    it.client.me(),
  ]
  for (const operation of operations) {
    const failed = await it.run(
      Effect.match(operation, { onFailure: (reason) => reason, onSuccess: () => null }),
    )
    if (failed !== null) texts.push(...shown(failed))
  }
  return { ...it, texts: [...texts, ...told(it), ...observations()] }
}

/** What events, journal and the client itself show. */
const told = ({ client, emulator, events }: World): ReadonlyArray<string> => [
  JSON.stringify(events),
  JSON.stringify(emulator.journal.entries),
  inspect(client, { depth: null }),
  JSON.stringify(client.config),
]

const names = kinds.map(({ name }) => name)
const bearable = (name: Fault["name"]): Fault =>
  name === "huge" ? { name, bytes: 100_000 } : ({ name } as Fault)

describe("the key is in no event, error, span, log, checkpoint, journal or inspection", () => {
  it("when everything goes well", async () => {
    const { emulator, events, texts } = await readAll({})
    expect(events.length).toBeGreaterThan(5)
    expect(leakIn(texts, emulator.apiKey)).toBeUndefined()
  })

  it.each(names)("through the fault %s", async (name) => {
    const { emulator, texts } = await readAll({ emulator: { contracts: 60, faults: [bearable(name)] } })
    expect(leakIn(texts, emulator.apiKey)).toBeUndefined()
  })

  it("when it is refused for its form", async () => {
    for (const apiKey of [
      "dk_secret_with_a space_inside",
      "dk_secret_with_a_newline\n",
      "dk_secret_ünïcode",
    ]) {
      const { another, run } = await world()
      const error = await another({ apiKey }).catch((reason: ClientError) => reason)
      expect(error).toMatchObject({ reason: { _tag: "ConfigInvalid", setting: "API key" } })
      expect(
        leakIn(
          [inspect(error, { depth: null }), JSON.stringify(await run(Effect.succeed(error)))],
          "dk_secret",
        ),
      ).toBeUndefined()
    }
  })

  it("when it stands in the base URL by mistake", async () => {
    const { another } = await world()
    const error = await another({ baseUrl: "https://dk_secret_key_of_mine@api.example.test" }).catch(
      (reason: ClientError) => reason,
    )
    expect(error).toMatchObject({ reason: { _tag: "ConfigInvalid" } })
    expect(leakIn([inspect(error, { depth: null })], "dk_secret_key_of_mine")).toBeUndefined()
  })

  it("in the client for programs without Effect", async () => {
    const key = "dk_promise_0123456789abcdef"
    const client = createClient({
      baseUrl,
      apiKey: key,
      rate: 0,
      fetch: async () => Response.json({ ok: false, message: `no such key: ${key}` }, { status: 401 }),
    })
    const error = await client.me().catch((reason: ClientError) => reason)
    expect(
      leakIn([inspect(client, { depth: null, showHidden: true }), ...shown(error as ClientError)], key),
    ).toBeUndefined()
  })
})

/** Keys of many alphabets: some change when they are put into a URL or a JSON text. */
const keys: ReadonlyArray<string> = [
  "dk_live_0123456789abcdef0123456789abcdef",
  "a+b/c==d+e/f==0123456789ABCDEF+/=",
  String.raw`k"e'y\with<many>{odd}^signs|0123456789`,
  "k%20e%2Fy%25with%41percent0123456789",
]

type Echo = (key: string) => Response
const json = { "content-type": "application/json" }
const answer = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { ...json, ...headers },
  })
const pageOf = (given: object, more: object = {}): Response =>
  answer({ ok: true, items: [{ ...contract(), ...given }], next_before_id: null, ...more })

const echoes: Readonly<Record<string, Echo>> = {
  "x-request-id of a success": (key) =>
    answer({ ok: true, items: [], next_before_id: null }, 200, { "x-request-id": key }),
  "x-request-id of an error": (key) => answer({}, 404, { "x-request-id": `req ${key} end` }),
  "request-id, percent-encoded": (key) => answer({}, 500, { "request-id": encodeURIComponent(key) }),
  "Location's path": (key) => answer("", 302, { location: `/login/${encodeURIComponent(key)}` }),
  "Location's path, as it is": (key) => answer("", 302, { location: `https://else.example/${key}` }),
  "Location's query": (key) => answer("", 302, { location: `/login?key=${encodeURIComponent(key)}` }),
  "Location's host": (key) =>
    answer("", 302, { location: `https://${key.replaceAll(/[^\w]/g, "")}.example/` }),
  "Location's user": (key) =>
    answer("", 302, { location: `https://${encodeURIComponent(key)}@else.example/` }),
  "content-type": (key) => answer("<p>", 200, { "content-type": `text/html; key="${key}"` }),
  "content-type, cut": (key) => answer("<p>", 200, { "content-type": `text/html; ${"x".repeat(40)}=${key}` }),
  "a flat message": (key) => answer({ ok: false, message: `The key ${key} is wrong.` }, 401),
  "a nested message": (key) => answer({ error: { message: `Bearer ${key}` } }, 403),
  "a list of errors": (key) => answer({ errors: [{ detail: key }] }, 422),
  "a plain text": (key) => answer(`Authorization: Bearer ${key}`, 400, { "content-type": "text/plain" }),
  "a text that is cut near the key": (key) => answer({ message: `${"x".repeat(190)} ${key}` }, 400),
  "a text with the key percent-encoded": (key) => answer({ message: encodeURIComponent(key) }, 400),
  "JSON that breaks off": (key) => answer(`{"message":${JSON.stringify(key)},"more`, 400),
  "a body longer than is looked at": (key) => answer({ message: key, more: "x".repeat(70_000) }, 500),
  "a 429": (key) => answer({ message: key }, 429, { "retry-after": key }),
  "ok: false": (key) => answer({ ok: false, error: key }),
  "a page that is no list": (key) => answer({ ok: true, items: key, next_before_id: key }),
  "a record of the wrong type": (key) => pageOf({ id: key, template_id: key }),
  "a kind": (key) => pageOf({ kind: key }),
  "a status": (key) => pageOf({ status: `on hold: ${key}` }),
  "the name of a member": (key) => pageOf({ [key]: 1 }),
  "an undocumented member": (key) => pageOf({ note: key, unit_label: key, unit_id: key }),
}

describe("personal data", () => {
  it("of records and of a server's messages is in no span and no log", async () => {
    const person = "Maria Papadaki"
    const spoken: Readonly<Record<string, () => Response>> = {
      "a record": () => pageOf({ unit_label: person, tenant: { name: person } }),
      "a rejected record": () => pageOf({ unit_label: person, template_id: person }),
      "a message": () => answer({ message: `${person} has no access.` }, 403),
      "a list of errors": () => answer({ errors: [{ detail: person }] }, 422),
      "a page of a proxy": () => answer(`<p>${person}`, 200, { "content-type": "text/html" }),
    }
    for (const say of Object.values(spoken)) {
      const it = await world({ around: () => async () => say() })
      const { observe, told } = observed(it)
      await observe(Effect.exit(it.client.contracts.collect({ max: "all" })))
      await observe(Effect.exit(it.client.contracts.get(12)))
      expect(told().filter((text) => text.includes("Papadaki"))).toEqual([])
    }
  })
})

describe("a server that echoes the key", () => {
  it.each(Object.entries(echoes))("in %s does not get it into what is shown", async (_, echo) => {
    for (const key of keys) {
      const fetch: Fetch = async () => {
        try {
          return echo(key)
        } catch {
          // Such a key cannot stand in this place at all.
          return answer({}, 400)
        }
      }
      const { texts } = await readAll({ client: { apiKey: key }, around: () => fetch })
      expect(leakIn(texts, key)).toBeUndefined()
    }
  })

  it.each(Object.entries(echoes))(
    "in part in %s does not get the part into what is shown",
    async (_, echo) => {
      for (const key of keys) {
        for (const part of [key.slice(0, 16), key.slice(-12), key.slice(9, 17)]) {
          const fetch: Fetch = async () => {
            try {
              return echo(part)
            } catch {
              return answer({}, 400)
            }
          }
          const { texts } = await readAll({ client: { apiKey: key }, around: () => fetch })
          expect(leakIn(texts, key)).toBeUndefined()
        }
      }
    },
  )

  it("in a cursor does not get it into an event, error, span or log, though it has to send it", async () => {
    for (const key of keys) {
      for (const cursor of [key, key.slice(0, 16), ` ${key} `, encodeURIComponent(key)]) {
        const sent: Array<string> = []
        const it = await world({
          client: { apiKey: key },
          around: () => async (request) => {
            sent.push(new URL(request.url).searchParams.get("before_id") ?? "")
            return pageOf({ id: 100 - sent.length }, { next_before_id: cursor + sent.length })
          },
        })
        const { observe, told } = observed(it)
        const { error } = await observe(readList(it.client.contracts.pages({ maxPages: 3 })))
        expect(sent.filter((each) => each.startsWith(cursor)).length).toBeGreaterThan(1)
        const texts = [...told(), ...shown(error!), JSON.stringify(it.events)]
        expect(leakIn(texts, key)).toBeUndefined()
      }
    }
  })

  it("in the failure of a transport does not get it into what is shown", async () => {
    for (const key of keys) {
      const { client, events, fails } = await world({
        client: { apiKey: key },
        transport: () => Promise.reject(new TransportFault("request", `bad header: Bearer ${key}`)),
      })
      expect(leakIn([...shown(await fails(client.me())), JSON.stringify(events)], key)).toBeUndefined()
    }
  })

  it("in the cause of a rejected fetch does not get it into what is shown", async () => {
    const key = keys[0]!
    const { client, run } = await world({
      client: { apiKey: key },
      around: () => () => Promise.reject(new TypeError("failed", { cause: new Error(`Bearer ${key}`) })),
    })
    expect(leakIn(shown(await run(failure(client.me()))), key)).toBeUndefined()
  })

  it("is told what it said otherwise, with the key taken out", async () => {
    const key = keys[0]!
    const { client, fails } = await world({
      client: { apiKey: key },
      around: () => async () => answer({ message: `The key ${key} is\nwrong.` }, 401),
    })
    expect((await fails(client.me())).reason).toEqual({
      _tag: "Unauthenticated",
      status: 401,
      serverSays: "The key [API key] is wrong.",
    })
  })
})
