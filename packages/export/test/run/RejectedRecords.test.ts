import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Quarantine from "../../src/run/RejectionLimit.ts"
import * as Rejects from "../../src/run/RejectedRecords.ts"
import * as SideFile from "../../src/file/Sidecar.ts"
import { folder, rejected } from "../fixtures/list.ts"

const member = { path: "listing.city", expected: "string", found: "nothing" }

describe("rejects with a file", () => {
  it.effect("are set aside page by page and counted by what is wrong", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const file = yield* SideFile.make({ path: join(at, "rejects"), overwrite: false, mode: null })
      const rejects = Rejects.into(file, Quarantine.defaultLimits)
      yield* rejects.add("contracts", [], 10)
      expect(rejects.summary()).toBeNull()
      expect(yield* Effect.promise(() => readdir(at))).toEqual([])
      yield* rejects.add("contracts", [rejected(1)], 100)
      yield* rejects.add("keys", [rejected(2), rejected(3)], 100)
      expect(rejects.summary()).toEqual({ path: file.path, records: 3, members: [{ ...member, records: 3 }] })
    }),
  )

  it.effect("stop the run when they are too many, and say of how many", () =>
    Effect.gen(function* () {
      const file = yield* SideFile.make({
        path: join(yield* folder, "rejects"),
        overwrite: false,
        mode: null,
      })
      const rejects = Rejects.into(file, { records: 2, share: 1, afterRecords: 1 })
      yield* rejects.add("contracts", [rejected(1), rejected(2)], 2)
      const error = yield* Effect.flip(rejects.add("contracts", [rejected(3)], 30))
      expect(error.reason).toEqual({
        _tag: "TooManyRejected",
        rejected: 3,
        seen: 30,
        members: [{ ...member, records: 3 }],
      })
    }),
  )
})

describe("rejects without a file", () => {
  it.effect("stop the run at the first one, which is named and not shown", () =>
    Effect.gen(function* () {
      const rejects = Rejects.refuse("-")
      yield* rejects.add("contracts", [], 1)
      const error = yield* Effect.flip(rejects.add("contracts", [rejected(9), rejected(8)], 2))
      expect(error.reason).toEqual({
        _tag: "RejectsHaveNoPlace",
        target: "-",
        id: 9,
        members: [{ ...member, records: 1 }],
      })
      expect(rejects.summary()).toBeNull()
    }),
  )
})
