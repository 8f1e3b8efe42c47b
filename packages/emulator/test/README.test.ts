import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { table } from "../src/Assumptions.ts"
import { kinds } from "../src/faults/index.ts"
import { settings } from "../src/faults/When.ts"

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

  it("names every key of a condition", () => {
    for (const name of Object.keys(settings)) expect(readme).toContain(`\`${name}\``)
  })
})
