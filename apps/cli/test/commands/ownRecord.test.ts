import { ClientError } from "@deedkit/core"
import type { ApiKey } from "@deedkit/core"
import { describe, expect, it } from "vitest"
import type { Trial } from "@deedkit/core/checkup"
import { ownRecordAmong } from "../../src/commands/authStatus.ts"

const record = (id: number, ...scopes: ReadonlyArray<string>): ApiKey.ApiKey => ({
  id,
  name: `Key ${id}`,
  scopes,
  created_at: "2026-01-02T03:04:05Z",
  last_used_at: null,
  revoked_at: null,
})
const revoked = (id: number): ApiKey.ApiKey => ({
  ...record(id, "read:contracts", "read:api_keys"),
  revoked_at: "2026-02-02T03:04:05Z",
})

const failed = (reason: ClientError.Reason): ClientError.ClientError =>
  new ClientError.ClientError({ reason, request: null, requestId: null, attempts: [], reading: null })

const trials = (contracts: ClientError.ClientError | null): ReadonlyArray<Trial.Trial> => [
  { endpoint: "me", scope: null, error: null },
  { endpoint: "contracts", scope: "read:contracts", error: contracts },
  { endpoint: "api-keys", scope: "read:api_keys", error: null },
]
const forbidden = failed({ _tag: "Forbidden", status: 403, scope: "read:contracts", serverSays: null })
const broken = failed({ _tag: "NotOk", status: 200, serverSays: null })

describe("the record of the key in use", () => {
  it("is the only one that is not revoked and has what worked", () => {
    const records = [record(1, "read:api_keys"), record(2, "read:contracts", "read:api_keys"), revoked(3)]
    expect(ownRecordAmong(records, trials(null))).toMatchObject({ _tag: "Known", record: { id: 2 } })
  })

  it("has no scope that was refused", () => {
    const records = [record(1, "read:api_keys"), record(2, "read:contracts", "read:api_keys")]
    expect(ownRecordAmong(records, trials(forbidden))).toMatchObject({ _tag: "Known", record: { id: 1 } })
  })

  it("is not known from a failure for another reason", () => {
    const records = [record(1, "read:api_keys"), record(2, "read:contracts", "read:api_keys")]
    expect(ownRecordAmong(records, trials(broken))).toEqual({
      _tag: "Unknown",
      why: "the service does not say which record belongs to this key, and 2 of 2 match",
    })
  })

  it("is not guessed when none matches", () => {
    expect(ownRecordAmong([revoked(1)], trials(null))).toEqual({
      _tag: "Unknown",
      why: "no record matches what the key can read",
    })
  })
})
