import { ClientError } from "@deedkit/core"
import { describe, expect, it } from "vitest"
import * as Failures from "../../../src/background/Failures.ts"
import * as World from "../World.ts"

const request = { method: "GET", path: "/v1/contracts/", subject: "contracts" }
const factsOf = (
  reason: ClientError.Reason,
  more: Partial<ConstructorParameters<typeof ClientError.ClientError>[0]> = {},
) =>
  Failures.factsOf(
    new ClientError.ClientError({ reason, request, requestId: "8c1f", attempts: [], reading: null, ...more }),
  )

const issue = (path: string) => ({ path, expected: "integer or null", found: "string" })
const prefix = "GET /v1/contracts/"

const expected: ReadonlyArray<readonly [reason: ClientError.Reason, facts: string]> = [
  [
    { _tag: "NotTheApi", status: 200, contentType: "text/html" },
    `NotTheApi · ${prefix} · status: 200 · contentType: text/html · requestId: 8c1f`,
  ],
  [
    { _tag: "Rejected", status: 418, serverSays: "I am a teapot" },
    `Rejected · ${prefix} · status: 418 · serverSays: I am a teapot · requestId: 8c1f`,
  ],
  [
    { _tag: "BodyInvalid", status: 200, problem: "json", bodyCharacters: 12 },
    `BodyInvalid · ${prefix} · status: 200 · problem: json · bodyCharacters: 12 · requestId: 8c1f`,
  ],
  [
    { _tag: "EnvelopeInvalid", issues: [issue("")] },
    `EnvelopeInvalid · ${prefix} · expected integer or null, found string · requestId: 8c1f`,
  ],
  [
    { _tag: "RecordInvalid", id: 7, issues: ["a", "b", "c", "d"].map(issue) },
    `RecordInvalid · ${prefix} · id: 7 · ${["a", "b", "c"]
      .map((path) => `${path}: expected integer or null, found string`)
      .join(" · ")} · requestId: 8c1f`,
  ],
  [
    { _tag: "CheckpointRefused", mismatch: { field: "origin" } },
    `CheckpointRefused · ${prefix} · field: origin · requestId: 8c1f`,
  ],
]

describe("the facts of an error", () => {
  it.each(expected)("of %o are %s", (reason, facts) => {
    expect(factsOf(reason)).toBe(facts)
  })

  it("leave out what is not known", () => {
    expect(factsOf({ _tag: "NotFound", status: 404, serverSays: null }, { requestId: null })).toBe(
      `NotFound · ${prefix} · status: 404`,
    )
    expect(factsOf({ _tag: "BodyTooLarge", maxBodyBytes: 9 }, { request: null, requestId: null })).toBe(
      "BodyTooLarge · maxBodyBytes: 9",
    )
  })

  it("hold no sentence of the client", () => {
    const text = "An English sentence of the client."
    const sentences: ReadonlyArray<ClientError.Reason> = [
      { _tag: "CursorIgnored", cursorParam: "before_id", evidence: { kind: "same-records", text } },
      { _tag: "PaginationStalled", evidence: { kind: "cursor-repeated", text } },
      { _tag: "ConfigInvalid", setting: "baseUrl", problem: text },
    ]
    expect(sentences.map((reason) => factsOf(reason, { request: null, requestId: null }))).toEqual([
      "CursorIgnored · cursorParam: before_id · kind: same-records",
      "PaginationStalled · kind: cursor-repeated",
      "ConfigInvalid · setting: baseUrl",
    ])
  })

  it("are what the state of a service that cannot be read holds, and name no value of a record", async () => {
    const world = World.make()
    world.emulator.faults.set(["not-json"])
    await world.setUp()
    const { connection } = await world.until(({ connection }) => connection._tag === "UnreadableData")
    expect(connection).toMatchObject({
      detail: expect.stringMatching(/^\w+ · GET \/v1\/\S* · status: 200 · /),
    })
    expect(JSON.stringify(connection)).not.toMatch(/Could not|Try again|Check the/)
  })
})
