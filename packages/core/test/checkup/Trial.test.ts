import { describe, expect, it } from "vitest"
import * as Trial from "../../src/checkup/Trial.ts"
import type { Reason, ReasonTag } from "../../src/ClientError.ts"
import { ClientError } from "../../src/ClientError.ts"
import { reasons } from "../fixtures/reasons.ts"

const errorOf = (reason: Reason): ClientError =>
  new ClientError({ reason, request: null, requestId: null, attempts: [], reading: null })

const abouts: { readonly [Tag in ReasonTag]: Trial.About } = {
  TransportFailed: "connection",
  TimedOut: "connection",
  NotTheApi: "address",
  Redirected: "address",
  ConfigInvalid: "address",
  RateLimited: "service",
  ServerFault: "service",
  Unauthenticated: "key",
  Forbidden: "scope",
  CursorIgnored: "pages",
  CursorRejected: "pages",
  PaginationStalled: "pages",
  NotFound: "answer",
  Rejected: "answer",
  BodyInvalid: "answer",
  NotOk: "answer",
  EnvelopeInvalid: "answer",
  RecordInvalid: "answer",
  ShapeMismatch: "answer",
  IdentityMismatch: "answer",
  CheckpointRefused: "answer",
  BodyTooLarge: "answer",
}

describe("what an error is about", () => {
  it.each(reasons.map((reason) => [reason._tag, reason] as const))("is known for %s", (tag, reason) => {
    const about = abouts[tag]
    expect(Trial.about(errorOf(reason))).toBe(about)
    expect(Trial.isOfAll(errorOf(reason))).toBe(["connection", "address", "service"].includes(about))
  })
})

const error = (tag: ReasonTag) => errorOf(reasons.find(({ _tag }) => _tag === tag)!)
const trials = (...tags: ReadonlyArray<ReasonTag | null>): ReadonlyArray<Trial.Trial> =>
  tags.map((tag, at) => ({
    endpoint: Trial.endpoints[at]!,
    scope: at === 0 ? null : `read:${at}`,
    error: tag === null ? null : error(tag),
  }))

describe("trials", () => {
  it.each([
    ["nothing where one works", trials("Forbidden", null, "NotFound"), null],
    ["that of contracts where none works", trials("Forbidden", "NotFound", "Forbidden"), "NotFound"],
    [
      "that of the key before all others",
      trials("Forbidden", "NotFound", "Unauthenticated"),
      "Unauthenticated",
    ],
    ["the one that ended them, whatever worked before", trials(null, "ServerFault"), "ServerFault"],
    [
      "the one that ended them, where nothing worked",
      trials("Forbidden", "Forbidden", "ServerFault"),
      "ServerFault",
    ],
    ["the only one", trials("Forbidden"), "Forbidden"],
  ] as const)("have failed with %s", (_, tried, reason) => {
    expect(Trial.failure(tried)?.reason._tag ?? null).toBe(reason)
  })

  it("name the scopes that are missing and specified", () => {
    expect(Trial.missingScopes(trials("Forbidden", null, "Forbidden"))).toEqual(["read:2"])
  })
})
