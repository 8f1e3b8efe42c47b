import { describe, expect, it } from "vitest"
import * as Citations from "../../src/rules/Citations.ts"
import { found, tried } from "../workspace.ts"

describe("Citations", () => {
  it("every citation of the specification leads to a section and a rule that exist", () => {
    expect(found(Citations.check)).toEqual([])
  })

  it.each([
    "Payments 2",
    "Endpoints 9",
    "Endpoints 2, 11).",
    "Endpoints, rows 4 and 6",
    "Endpoints, Rules 0",
    "Errors 1, Limits 4",
    "Contract, gap 4",
    "Events 1",
    "Contracts.",
    "errors 2",
  ])("cannot be found: %s", (citation) => {
    expect(Citations.objection(citation)).not.toBeNull()
  })

  it.each([
    "Endpoints 5",
    "Endpoints. The parameter is optional",
    "Endpoints 5, Contract gaps), so",
    "Endpoints, rows 1 and 5",
    "Endpoints, Rules 2",
    "Errors 1, Limits 1: rate limits exist",
    "API key (metadata record).",
    "States, API key)",
    "Contract, gap 2",
    "Contract, embedded listing summary",
    "Resources and their fields",
    "Resources, ISO 8601 in UTC",
  ])("can be found: %s", (citation) => {
    expect(Citations.objection(citation)).toBeNull()
  })

  it.each(["packages/core/src/X.ts", "packages/core/README.md", "packages/core/examples/x.ts"])(
    "looks into %s, and names the line",
    (path) => {
      expect(tried(Citations.check, path, "\n/** A guess (Spec: Payments 2). */")).toEqual([
        expect.stringContaining(`${path}:2 cites`),
      ])
    },
  )

  it("takes three dots for talk about citations", () => {
    expect(tried(Citations.check, "packages/core/src/X.ts", "// written as `Spec: ...`")).toEqual([])
  })
})
