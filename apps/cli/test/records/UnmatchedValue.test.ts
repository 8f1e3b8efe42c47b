import type { Contract } from "@deedkit/core"
import { contracts, Filter } from "@deedkit/export"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as UnmatchedValue from "../../src/records/UnmatchedValue.ts"
import { bench } from "../harness/Cli.ts"
import { contract } from "../harness/Servers.ts"

const made = (members: Readonly<Record<string, unknown>>): Contract.Contract => contract(1, members)

const watched = (where: ReadonlyArray<string>, records: Iterable<Contract.Contract>) => {
  const filter = Result.getOrThrow(Filter.parse(contracts, where))
  const watch = UnmatchedValue.watch(contracts, filter)
  for (const record of records) watch.filter.keeps(record)
  return watch.unmatched()
}

const say = (where: ReadonlyArray<string>, records: Iterable<Contract.Contract>): ReadonlyArray<string> =>
  watched(where, records).map((each) => UnmatchedValue.sentence(each, "No contract", (text) => text))

const statuses = ["active", "draft", "active", "ended"].map((status) => made({ status }))
const cities = Array.from({ length: 30 }, (_, at) =>
  made({ listing: { id: at, slug: "s", title: "t", city: `City ${at}`, area: "a" } }),
)

describe("a condition that no record meets", () => {
  it("is answered with the values that there are, the most frequent first", () => {
    expect(say(["status=ACTIVE"], statuses)).toEqual([
      'No contract has status "ACTIVE". Values seen: active (2), draft (1), ended (1).',
    ])
  })

  it("is distinguished from others that some record meets", () => {
    expect(say(["status=ACTIVE", "kind=rent"], statuses)).toHaveLength(1)
    expect(say(["status=active", "kind=rent", "id=999"], [...statuses, made({ id: 999 })])).toEqual([])
    expect(say(["status=active", "unit_label=none"], [...statuses, made({ unit_label: "none" })])).toEqual([])
  })

  it("is answered with the nearest values where there are many, and how many there are", () => {
    expect(say(["city=city 7"], cities)).toEqual([
      expect.stringMatching(
        /^No contract has listing\.city "city 7"\. Values seen: City 7 \(1\), City \d+ \(1\), City \d+ \(1\) and 27 others\.$/,
      ),
    ])
    expect(say(["city=Reykjavik"], [...cities, ...cities.slice(4, 5)])[0]).toContain(
      "Values seen: City 4 (2), City 0 (1), City 1 (1) and 27 others.",
    )
  })

  it("says that a column is empty everywhere", () => {
    expect(say(["extra.deposit=2"], statuses)).toEqual([
      'No contract has extra.deposit "2". It is empty in all of them.',
    ])
  })

  it("is about words: numbers are listed where they are few, dates never, and other tests not at all", () => {
    expect(say(["template_id=7"], [made({ template_id: 3 }), made({ template_id: 5 })])).toEqual([
      'No contract has template_id "7". Values seen: 3 (1), 5 (1).',
    ])
    expect(
      say(
        ["id=7"],
        Array.from({ length: 20 }, (_, id) => made({ id: id + 100 })),
      ),
    ).toEqual([])
    expect(
      say(["created_at=1999", "status!=nothing", "status~nothing", "unit_label=", "id>1000"], statuses),
    ).toEqual([])
  })

  it("takes the value as it was written", () => {
    expect(say(["status= =odd=value "], statuses)[0]).toContain('No contract has status "=odd=value".')
    expect(say(["status= =odd=value "], [made({ status: "=odd=value" })])).toEqual([])
  })

  it("says nothing before there is a record", () => {
    expect(say(["status=ACTIVE"], [])).toEqual([])
  })

  it("keeps and shows a bounded number of values, however many and long they are", () => {
    const long = "x".repeat(5_000)
    function* endless() {
      for (let at = 0; at < 20_000; at += 1) yield made({ unit_label: `${at}` })
      yield made({ unit_label: long })
    }
    const [unmatched] = watched(["unit_label=nothing at all"], endless())
    expect([unmatched?.values, unmatched?.seen.length]).toEqual([null, 3])
    expect(watched([`unit_label=${long}y`], endless())[0]?.seen.every(({ value }) => value.length < 5)).toBe(
      true,
    )
    const [sentence = ""] = say([`unit_label=${long}y`], endless())
    expect(sentence).toMatch(/ and many others\.$/)
    expect(sentence.length).toBeLessThan(200)
  })
})

describe("commands", () => {
  const told = /^No contract has status "ACTIVE"\. Values seen: (?:\w+ \(\d+\), )+\w+ \(\d+\)\.$/m

  it("say so after a list, in its JSON too, and end with 0", async () => {
    await using it = await bench({ contracts: 250 })
    const list = ["contracts", "list", "--where", "status=ACTIVE", "--where", "city=Athens", "--rate", "0"]
    const { code, stderr } = await it.call(list)
    expect([code, stderr]).toEqual([0, expect.stringMatching(told)])
    expect(stderr).toContain("None of 250 contracts")
    expect(stderr).not.toContain("listing.city")
    const active = it.emulator.store.contracts.filter(({ status }) => status === "active").length
    expect(stderr).toContain(`active (${active})`)
    const json = await it.call([...list, "--json"])
    expect([json.code, json.stderr]).toEqual([0, ""])
    expect(JSON.parse(json.stdout)).toMatchObject({
      items: [],
      unmatched: [
        {
          column: "status",
          value: "ACTIVE",
          seen: expect.arrayContaining([{ value: "active", records: active }]) as unknown,
        },
      ],
      complete: true,
    })
    const right = await it.call(["contracts", "list", "--where", "status=active", "--rate", "0"])
    expect(right.stderr).not.toContain("Values seen")
    expect((await it.call([...list, "--quiet"])).stderr).toBe("")
  })

  it("say so after an export, a resumed one and one with rejected records too", async () => {
    await using it = await bench({ contracts: 250, faults: ["status:page=3", "missing-field:field=kind"] })
    const exporting = ["export", "contracts", "--where", "status=ACTIVE", "--out", `${it.folder}/out.csv`]
    // Read once: where pages overlap, a record that is hurt on one of its two pages only is both rejected and counted.
    const flags = ["--rate", "0", "--attempts", "1", "--quick"]
    const failed = await it.call([...exporting, ...flags])
    expect([failed.code === 0, failed.stderr.includes("Values seen")]).toEqual([false, false])
    it.emulator.faults.set(["missing-field:field=kind"])
    const { code, stderr } = await it.call([...exporting, ...flags, "--resume"])
    expect([code, stderr]).toEqual([9, expect.stringMatching(told)])
    const seen = [...stderr.matchAll(/\((\d+)\)/g)].reduce((sum, [, records]) => sum + Number(records), 0)
    const rejected = Number(/(\d+) records? (?:is|are) not as specified/.exec(stderr)?.[1])
    expect(seen + rejected).toBe(250)
  })

  it("say so of API keys, and never show the key that is in use", async () => {
    await using it = await bench()
    const [first] = it.emulator.store.apiKeys
    it.emulator.store.updateKey(first!.id, { name: `named ${it.emulator.apiKey}` })
    const { code, stderr } = await it.call(["keys", "list", "--where", "name=nobody"])
    expect(code).toBe(0)
    expect(stderr).toContain('No API key has name "nobody". Values seen: ')
    const { stdout } = await it.call(["keys", "list", "--where", "name=nobody", "--json"])
    expect(stdout).toContain('"unmatched"')
  })
})
