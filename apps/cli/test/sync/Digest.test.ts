import { describe, expect, it } from "vitest"
import * as Digests from "../../src/sync/Digest.ts"
import * as DigestHtml from "../../src/sync/DigestHtml.ts"
import { ansi } from "../../src/terminal/TerminalText.ts"
import { change, digestOf } from "../harness/Digests.ts"

const contract = (before: string, after: string) =>
  change({ before: JSON.stringify({ status: before }), body: JSON.stringify({ status: after }) })

const key = (before: string | null, after: string | null) =>
  change({
    collection: "api-keys",
    members: ["revoked_at"],
    before: JSON.stringify({ revoked_at: before }),
    body: JSON.stringify({ revoked_at: after }),
  })

const revoked = "2026-11-01T00:00:00Z"

describe("an unusual change", () => {
  it.each([
    ["a contract from ended to active", contract("ended", "active"), true],
    ["from ended to draft", contract("ended", "draft"), true],
    ["from active to draft", contract("active", "draft"), true],
    ["not from active to ended", contract("active", "ended"), false],
    ["not from draft to ended", contract("draft", "ended"), false],
    ["not to a status that is not known", contract("ended", "archived"), false],
    ["not from one", contract("archived", "draft"), false],
    ["a key that is no longer revoked", key(revoked, null), true],
    ["not one that is revoked", key(null, revoked), false],
    ["another record under the id", change({ members: ["created_at", "status"] }), true],
    ["not a record that is gone", change({ change: "removed", body: null }), false],
    ["not one whose version before was removed from the history", change({ before: null }), false],
  ])("is %s", (_, given, expected) => {
    expect(Digests.isUnusual(given)).toBe(expected)
    expect(Digests.factsOf(given).isUnusual).toBe(expected)
    expect(Digests.countsOf([given]).unusual).toBe(expected ? 1 : 0)
  })

  it("stands out in text by a mark, a word and, on a terminal, a colour", () => {
    const digest = digestOf([contract("ended", "active")])
    const line = "! contract 1301 changed: status ended -> active (unusual)"
    expect(Digests.textLines(digest)).toContain(line)
    expect(Digests.textLines(digest, ansi)).toContain(`\u001B[33m${line}\u001B[39m`)
  })
})

describe("the differences of a change", () => {
  it("say that the version before was pruned, and not that it had nothing", () => {
    const digest = digestOf([change({ before: null })])
    expect(Digests.textLines(digest)).toContain("  contract 1301 (3B) changed: status pruned -> active")
    expect(DigestHtml.lines(digest).join("")).toContain("<del>pruned</del> → <ins><bdi>active</bdi></ins>")
  })

  it("are cut in every form, also where a text has no width", () => {
    const long = `a${"\u0301".repeat(65_536)}\u200B`.repeat(2)
    const given = change({
      members: [long],
      before: JSON.stringify({ unit_label: long, [long]: "x" }),
      body: JSON.stringify({ unit_label: long, [long]: long }),
    })
    const digest = digestOf([given])
    for (const lines of [Digests.textLines(digest), DigestHtml.lines(digest)])
      for (const line of lines) expect(line.length).toBeLessThan(15_000)
  })

  const of = (before: object, body: object, members: ReadonlyArray<string>) =>
    Digests.factsOf(change({ before: JSON.stringify(before), body: JSON.stringify(body), members }))
      .differences

  it("tell null, an empty text, and what is not there apart", () => {
    expect(of({ a: null, b: "" }, { b: "x", c: { d: 1 } }, ["a", "b", "c"])).toEqual([
      { member: "a", before: "null", after: null },
      { member: "b", before: '""', after: "x" },
      { member: "c", before: null, after: '{"d":1}' },
    ])
  })

  it("are those of the payload where the record has no such member", () => {
    const given = change({ members: ["rent.amount"], dataBefore: '{"rent":{"amount":1}}', data: "{}" })
    expect(Digests.factsOf(given).differences).toEqual([{ member: "rent.amount", before: "1", after: null }])
  })

  it("leave out updated_at, unless nothing else differs", () => {
    const record = { updated_at: "1", status: "draft" }
    expect(of(record, { updated_at: "2", status: "active" }, ["updated_at", "status"])).toHaveLength(1)
    expect(of(record, { updated_at: "2", status: "draft" }, ["updated_at"])).toEqual([
      { member: "updated_at", before: "1", after: "2" },
    ])
  })
})

describe("the id of a digest", () => {
  const changes = [change(), change({ id: 1302 })]

  it("is the same for the same changes in another window", () => {
    const later = digestOf(changes, { since: "2026-11-22T00:00:00.000Z", until: "2026-11-23T00:00:00.000Z" })
    expect(Digests.idOf(later)).toBe(Digests.idOf(digestOf(changes)))
    expect(Digests.idOf(later)).toMatch(/^[0-9a-f]{32}$/)
  })

  it.each([
    ["one more", [...changes, change({ id: 1303 })]],
    ["another version", [change({ version: 3 }), changes[1]!]],
    ["another account", [change({ account: "beta" }), changes[1]!]],
    ["another list", [change({ collection: "api-keys" }), changes[1]!]],
    ["another mirror, begun at another time", [change({ seenAt: revoked }), changes[1]!]],
  ])("is another for %s", (_, others) => {
    expect(Digests.idOf(digestOf(others))).not.toBe(Digests.idOf(digestOf(changes)))
  })
})

it("counts with thousands apart, each kind by its name", () => {
  const many = Array.from({ length: 1_200 }, (_, id) =>
    change({ id, change: "added", before: null, members: [] }),
  )
  const others = [
    change({ change: "returned", before: null }),
    contract("ended", "active"),
    contract("a", "b"),
  ]
  expect(Digests.total([...many, ...others])).toBe("1,200 added, 2 changed (1 unusual), 1 returned")
  expect(Digests.total([])).toBe("No changes")
})
