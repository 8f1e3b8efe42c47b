import { beforeEach, describe, expect, it } from "vitest"
import * as Omnibox from "../../src/browser-ui/Omnibox.ts"
import type { ContractRow } from "../../src/index/PageIndex.ts"
import { contracts, hostile } from "../ui/gallery/Worlds.ts"
import * as Shell from "./Shell.ts"

const rows = contracts.map(({ row }) => row)
const found = (...rows: ReadonlyArray<ContractRow>) => ({ rows, total: rows.length, groups: null })

let shell: Shell.FakeShell
beforeEach(() => {
  shell = Shell.make()
})

/** Whether a text is what stands between two tags: nothing in it begins a tag or an entity of its own. */
const read = (xml: string): string => {
  const plain = xml.replace(/<\/?(?:match|dim)>/g, "")
  expect(plain).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|apos);)/)
  return plain
}

describe("suggestions in the address bar", () => {
  it("are the contracts of the index that fit, by their numbers", async () => {
    const { index, asked } = Shell.reading({ "index.search": found(rows[0]!, rows[1]!) })
    expect(await Omnibox.suggest(index, shell, "ath")).toEqual([
      {
        content: "#1324",
        description:
          "#1324 <match>Exarchia maisonette with roof terrace</match> <dim>Sous-sol · Athens · sale · active</dim>",
      },
      {
        content: "#1323",
        description:
          "#1323 <match>The “Olive” loft, Kolonaki</match> <dim>Hinterhaus 3 4 · Athens · rent · active</dim>",
      },
    ])
    expect(asked).toEqual([{ type: "index.search", text: "ath", counts: false, limit: 6 }])
  })

  it("are plain where the browser shows them as they are", async () => {
    const { index } = Shell.reading({ "index.search": found(rows[5]!) })
    const [only] = await Omnibox.suggest(index, { readsXml: false }, "garage")
    expect(only?.description).toBe("#1318 Garage 7 — rent · active")
  })

  it("hold no markup of the service's texts, and one short line each", async () => {
    const row = { ...hostile.row, unitLabel: `</match>&'"\u0000\ud800 ${hostile.row.unitLabel}` }
    const { index } = Shell.reading({ "index.search": found(row) })
    const [only] = await Omnibox.suggest(index, shell, "x")
    const plain = read(only!.description)
    expect(plain).toContain("&lt;script&gt;")
    expect(plain).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    expect(plain.isWellFormed()).toBe(true)
    expect(plain.length).toBeLessThan(1_000)
  })

  it("are none for nothing typed, and none where nothing fits", async () => {
    const { index, asked } = Shell.reading({ "index.search": found() })
    expect(await Omnibox.suggest(index, shell, "  ")).toEqual([])
    expect(asked).toEqual([])
    expect(await Omnibox.suggest(index, shell, "loft")).toEqual([])
  })

  it("are introduced in words that are no markup", () => {
    expect(Omnibox.hint({ readsXml: true, text: () => "<a> & b" })).toBe("&lt;a&gt; &amp; b")
    expect(Omnibox.hint({ readsXml: false, text: () => "a & b" })).toBe("a & b")
  })
})

describe("Enter in the address bar", () => {
  it.each([
    ["currentTab", "this-tab"],
    ["newForegroundTab", "tab"],
    ["newBackgroundTab", "hidden-tab"],
  ])("opens the chosen contract where the user wants it: %s", async (disposition, place) => {
    const { index, asked } = Shell.reading({ "index.search": found() })
    await Omnibox.enter(index, shell, "#1324", disposition)
    expect(shell.opened).toEqual([["/popup.html?contract=1324", place]])
    expect(asked).toEqual([])
  })

  it("opens the only contract that fits, or the search with what was typed", async () => {
    const one = Shell.reading({ "index.search": found(rows[0]!) })
    await Omnibox.enter(one.index, shell, "exarchia", "currentTab")
    const two = Shell.reading({ "index.search": found(rows[0]!, rows[1]!) })
    await Omnibox.enter(two.index, shell, " athens  & co? ", "currentTab")
    expect(shell.opened.map(([page]) => page)).toEqual([
      "/popup.html?contract=1324",
      "/popup.html?find=athens%20%26%20co%3F",
    ])
  })
})
