import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as RejectedRecords from "../../src/run/RejectedRecords.ts"
import * as Sidecar from "../../src/run/Sidecars.ts"
import { folder, rejected } from "../fixtures/list.ts"

const member = { path: "listing.city", expected: "string", found: "nothing" }

describe("rejected records with a file", () => {
  it.effect("are kept page by page and counted by what is wrong", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const file = yield* Sidecar.make({ path: join(at, "rejected"), overwrite: false, mode: null })
      const records = RejectedRecords.into(file, RejectedRecords.defaultLimits)
      yield* records.add("contracts", [], 10)
      expect(records.summary()).toBeNull()
      expect(yield* Effect.promise(() => readdir(at))).toEqual([])
      yield* records.add("contracts", [rejected(1)], 100)
      yield* records.add("keys", [rejected(2), rejected(3)], 100)
      expect(records.summary()).toEqual({ path: file.path, records: 3, members: [{ ...member, records: 3 }] })
    }),
  )

  it.effect("stop the run when they are too many, and say of how many", () =>
    Effect.gen(function* () {
      const file = yield* Sidecar.make({
        path: join(yield* folder, "rejected"),
        overwrite: false,
        mode: null,
      })
      const records = RejectedRecords.into(file, { records: 2, share: 1, afterRecords: 1 })
      yield* records.add("contracts", [rejected(1), rejected(2)], 2)
      const error = yield* Effect.flip(records.add("contracts", [rejected(3)], 30))
      expect(error.reason).toEqual({
        _tag: "TooManyRejected",
        rejected: 3,
        seen: 30,
        members: [{ ...member, records: 3 }],
      })
    }),
  )
})

describe("rejected records without a file", () => {
  it.effect("stop the run at the first one, which is named and not shown", () =>
    Effect.gen(function* () {
      const records = RejectedRecords.refuse("-")
      yield* records.add("contracts", [], 1)
      const error = yield* Effect.flip(records.add("contracts", [rejected(9), rejected(8)], 2))
      expect(error.reason).toEqual({
        _tag: "RejectedHaveNoFile",
        target: "-",
        id: 9,
        members: [{ ...member, records: 1 }],
      })
      expect(records.summary()).toBeNull()
    }),
  )
})
