import { readFileSync } from "node:fs"
import { make } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { table } from "../src/settings/Assumptions.ts"
import { control } from "../src/server/Control.ts"
import { kinds } from "../src/faults/index.ts"
import { settings } from "../src/faults/fault/When.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
/** Cells of the table row that begins with a name. */
const row = (name: string) =>
  (new RegExp(`^\\| \`${name}\` .*$`, "m").exec(readme)?.[0] ?? "").split("|").map((cell) => cell.trim())

describe("the README", () => {
  it("begins with what the emulator does not imitate", () => {
    expect(readme.split("\n## ")[1]).toMatch(/^What it does not imitate\n/)
  })

  it.each(kinds.map((kind) => [kind.name, kind] as const))("describes the fault %s", (name, kind) => {
    const attributes = Object.keys(kind.attributes).map((attribute) => `\`${attribute}\``)
    expect(row(name).slice(2, 4)).toEqual([kind.description, attributes.join(" ")])
  })

  it.each(Object.entries(table))("describes the assumption %s", (name, setting) => {
    const [sentence, gap] = setting.about.split(" Spec: ")
    expect(row(name).slice(2, 5)).toEqual([`\`${JSON.stringify(setting.default)}\``, sentence, gap])
  })

  it("names every request that the control port takes", async () => {
    const answer = await control(make())(new Request("http://control.test/"))
    const listed = Object.keys((await answer.json()) as object)
    expect(listed).toHaveLength(19)
    for (const request of listed) expect(readme).toContain(`\`${request}\``)
  })

  it("names every member of a journal's entry, of the journal and of the store", async () => {
    const { fetch, journal, store } = make()
    await fetch("http://emulator.test/v1/me/")
    const members = [journal.entries[0] ?? {}, journal, store].flatMap((one) => Object.keys(one))
    expect(members.length).toBeGreaterThan(24)
    for (const member of members) expect(readme).toMatch(new RegExp(`[\\x60.]${member}[\\x60(]`))
  })

  it("names every key of a condition", () => {
    for (const name of Object.keys(settings)) expect(readme).toContain(`\`${name}\``)
  })
})
