// @vitest-environment happy-dom
import { indexOf } from "../../desk/FakeBackground.ts"
import "../../desk/DeskBrowser.ts"
import { describe, expect, it } from "vitest"
import type { Background } from "../../../../src/ui/state/Background.ts"
import * as Subject from "../../../../src/ui/popup/search/Subject.ts"
import { contracts } from "../../gallery/Worlds.ts"

describe("what the popup was opened about", () => {
  it.each([
    ["", { _tag: "Page" }],
    ["?in=popup", { _tag: "Page" }],
    ["?contract=17", { _tag: "Contract", id: 17 }],
    ["?contract=1e400", { _tag: "Page" }],
    ["?contract=-1", { _tag: "Page" }],
    ["?listing=a%2Fb", { _tag: "Listing", reference: "a/b" }],
    ["?find=blue%20door&in=popup", { _tag: "Search", text: "blue door" }],
    ["?find=", { _tag: "Page" }],
    ["?changes", { _tag: "Changes" }],
  ])("stands in its query: %j", (query, subject) => {
    expect(Subject.of(query)).toEqual(subject)
  })

  const looking = (answer: unknown): Background => ({
    ask: () => Promise.reject(new Error("nothing is asked of the background")),
    index: indexOf(async () => answer),
    watch: () => () => {},
    test: () => () => {},
  })
  const link = "https://homes.example/homes/olive-loft?tab=1"

  it("is the listing of a link, or a search for the link's last part", async () => {
    const known = looking({ rows: [contracts[1]!.row], title: null, total: 1 })
    expect(await Subject.ofLink(known.index, link)).toEqual({ _tag: "Listing", reference: "olive-loft" })
    expect(await Subject.ofLink(looking(null).index, link)).toEqual({ _tag: "Search", text: "olive-loft" })
  })

  it("is a search for the link's last part, too, when the index cannot be read", async () => {
    const broken: Background = {
      ...looking(null),
      index: indexOf(() => Promise.reject(new Error("no disk"))),
    }
    expect(await Subject.ofLink(broken.index, link)).toEqual({ _tag: "Search", text: "olive-loft" })
  })
})
