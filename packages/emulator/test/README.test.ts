import { readFileSync } from "node:fs"
import { make } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { table } from "../src/Assumptions.ts"
import { control } from "../src/Control.ts"
import { kinds } from "../src/faults/FaultSet.ts"
import { conditions } from "../src/faults/Fault.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

/** A table in Markdown, with its columns aligned as the formatter aligns them. */
const markdown = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const [head = [], ...body] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`
  return [head, widths.map((width) => "-".repeat(width)), ...body].map(line).join("")
}

const faultTable = markdown([
  ["name", "what it does", "attributes"],
  ...kinds.map(({ attributes, description, name }) => [
    `\`${name}\``,
    description,
    Object.keys(attributes)
      .map((attribute) => `\`${attribute}\``)
      .join(" "),
  ]),
])

const assumptionTable = markdown([
  ["name", "default", "what it says", "gap"],
  ...Object.entries(table).map(([name, setting]) => {
    const [sentence = "", gap = ""] = setting.about.split(" Spec: ")
    return [`\`${name}\``, `\`${JSON.stringify(setting.default)}\``, sentence, gap]
  }),
])

describe("the README", () => {
  it("begins with what the emulator does not imitate", () => {
    expect(readme.split("\n## ")[1]).toMatch(/^What it does not imitate\n/)
  })

  it("has a row for each fault and each assumption, which `vitest -u` writes", async () => {
    const written = readme
      .replace(/^\| name +\| what it does [^]*?\n(?=\n)/m, () => faultTable)
      .replace(/^\| name +\| default [^]*?\n(?=\n)/m, () => assumptionTable)
    await expect(written).toMatchFileSnapshot("../README.md")
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
    for (const name of Object.keys(conditions)) expect(readme).toContain(`\`${name}\``)
  })
})
