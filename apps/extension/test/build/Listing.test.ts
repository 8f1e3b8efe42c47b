/**
 * What the stores show: texts within their limits, the same in each language, and pictures in the sizes that stores take.
 */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import messages from "../../public/_locales/en/messages.json" with { type: "json" }

const root = join(import.meta.dirname, "..", "..")
const store = join(root, "store")
const read = (...path: ReadonlyArray<string>): Promise<string> => readFile(join(root, ...path), "utf8")

const languages = (await readdir(join(root, "public", "_locales"))).toSorted()

/** Characters at most: of the store that takes the fewest. */
const most = { name: 45, manifest: 132, summary: 250, description: 10_000 }
const leastDescription = 250

const paragraphs = (text: string): ReadonlyArray<string> => text.trim().split("\n")

const isHeading = (line: string): boolean => line !== "" && line === line.toLocaleUpperCase()

describe("the texts of the stores", () => {
  it("are there in every language of the extension", async () => {
    expect((await readdir(join(store, "listing"))).toSorted()).toEqual(languages)
  })

  it.each(languages)("are as short as every store wants them: %s", async (language) => {
    const { extensionDescription, extensionName } = JSON.parse(
      await read("public", "_locales", language, "messages.json"),
    ) as typeof messages
    const summary = await read("store", "listing", language, "summary.txt")
    const description = await read("store", "listing", language, "description.txt")
    expect(extensionName.message.length).toBeLessThanOrEqual(most.name)
    expect(extensionDescription.message.length).toBeLessThanOrEqual(most.manifest)
    expect(summary.trim().length).toBeLessThanOrEqual(most.summary)
    expect(description.trim().length).toBeLessThanOrEqual(most.description)
    expect(description.trim().length).toBeGreaterThanOrEqual(leastDescription)
  })

  it.each(languages)("say the same in each language, in text without markup: %s", async (language) => {
    for (const file of ["summary.txt", "description.txt"]) {
      const [english, other] = [
        await read("store", "listing", "en", file),
        await read("store", "listing", language, file),
      ]
      const shape = (text: string) =>
        paragraphs(text).map((line) =>
          line === "" ? "" : isHeading(line) ? "heading" : line.split(/[.;·](?:\s|$)/).length,
        )
      expect(shape(other)).toEqual(shape(english))
      expect(other).not.toMatch(/[*_#`<>]|https?:/)
      for (const [kept] of english.matchAll(/read:contracts|Deedkit|API|CSV|Excel|\d active \+\d/g))
        expect(other).toContain(kept)
    }
  })

  it("promise no more of a site than the privacy policy does", async () => {
    const privacy = (await read("store", "Privacy.md")).replace(/\s+/g, " ")
    const description = await read("store", "listing", "en", "description.txt")
    const both: ReadonlyArray<readonly [told: string, held: string]> = [
      [
        "can see on which of its listing pages a panel appears.",
        "at which of its addresses there is a panel.",
      ],
      ["It cannot see which links have a badge,", "It cannot see which of its links have a badge:"],
      ["or read what a badge or panel says.", "It cannot read what is drawn."],
      ["There is no telemetry and no advertising.", "There is no telemetry, no error report, no advertising"],
      [
        "No address of a page that you visit leaves your browser.",
        "No address, title or text of a page that you visit is sent to anybody",
      ],
      ["Deedkit only reads", "They only read."],
    ]
    for (const [told, held] of both) {
      expect(description).toContain(told)
      expect(privacy).toContain(held)
    }
  })

  it("have the limits that the page about them has", async () => {
    const rows = (await read("store", "Listing.md"))
      .split("\n")
      .filter((line) => /^\| (?:name|summary|descr)/.test(line))
    const least = rows.map((row) => {
      const [what, , ...figures] = row
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim())
      return [
        what,
        Math.min(...figures.filter((cell) => cell !== "").map((cell) => Number(cell.replace(",", "")))),
      ]
    })
    expect(least).toEqual([
      ["name", most.name],
      ["summary", most.manifest],
      ["summary", most.summary],
      ["description", most.description],
    ])
  })
})

describe("the pictures of the stores", () => {
  it("are those of the page about them, in its sizes, of 24 bits and without transparency", async () => {
    const rows = [...(await read("store", "Listing.md")).matchAll(/^\| `(\w+\.png)` +\| (\d+) by (\d+)/gm)]
    expect(rows).toHaveLength(6)
    expect((await readdir(join(store, "pictures"))).toSorted()).toEqual(
      rows.map(([, name]) => name!).toSorted(),
    )
    for (const [, name, width, height] of rows) {
      const png = await readFile(join(store, "pictures", name!))
      const [bits, colours] = [png[24], png[25]]
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([Number(width), Number(height)])
      // Eight bits for each of red, green and blue.
      expect([bits, colours]).toEqual([8, 2])
      expect(png.byteLength).toBeLessThan(300_000)
    }
    const sizes = rows.map(([, , width, height]) => `${width}x${height}`)
    expect(sizes.filter((size) => size === "1280x800")).toHaveLength(5)
    expect(sizes).toContain("440x280")
  })
})
