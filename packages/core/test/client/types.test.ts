/** What an editor and the compiler see: open values that complete, exhaustive reasons, nothing of type any. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, expectTypeOf, it } from "vitest"
import type * as Effect from "effect/Effect"
import type { Scope } from "../../src/ApiKey.ts"
import { configInvalid, match, reasonTags } from "../../src/ClientError.ts"
import type { ClientError, ReasonTag } from "../../src/ClientError.ts"
import type { Contract, Kind, Status } from "../../src/Contract.ts"
import type { Client } from "../../src/promise.ts"
import type { Service } from "../../src/PropertyClient.ts"

describe("types", () => {
  it("complete the known kinds, statuses and scopes, and take unknown ones", () => {
    expectTypeOf<"rent">().toExtend<Kind>()
    expectTypeOf<"seasonal">().toExtend<Kind>()
    expectTypeOf<"active">().toExtend<Status>()
    expectTypeOf<"read:contracts">().toExtend<Scope>()
    expectTypeOf<Kind>().not.toEqualTypeOf<string>()
  })

  it("say that every operation fails with one error", () => {
    expectTypeOf<ReturnType<Service["contracts"]["get"]>>().toEqualTypeOf<
      Effect.Effect<Contract, ClientError>
    >()
    expectTypeOf<ReturnType<Client["contracts"]["get"]>>().toEqualTypeOf<Promise<Contract>>()
    expectTypeOf<ReturnType<Client["contracts"]["list"]>>().toEqualTypeOf<AsyncIterable<Contract>>()
  })

  it("ask for every reason in a match", () => {
    expectTypeOf<{ NotFound: () => string }>().not.toExtend<Parameters<typeof match<string>>[1]>()
    expectTypeOf<(typeof reasonTags)[number]>().toEqualTypeOf<ReasonTag>()
    const handlers = Object.fromEntries(reasonTags.map((tag) => [tag, () => tag]))
    expect(match(configInvalid("limit", "is wrong"), handlers as never)).toBe("ConfigInvalid")
  })

  it("ask for a maximum or the word all before everything is collected", () => {
    expectTypeOf<{ limit: 5 }>().not.toExtend<Parameters<Service["contracts"]["collect"]>[0]>()
    expectTypeOf<{ max: "all" }>().toExtend<Parameters<Service["contracts"]["collect"]>[0]>()
    expectTypeOf<{ max: 5 }>().toExtend<Parameters<Service["contracts"]["collect"]>[0]>()
  })

  it("hold no any in any source of the package", () => {
    const sources = join(import.meta.dirname, "..", "..", "src")
    const found = readdirSync(sources, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .filter((name) =>
        /[:<|&,(]\s*any\b|\bas any\b/.test(
          readFileSync(join(sources, name), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, ""),
        ),
      )
    expect(found).toEqual([])
  })
})
