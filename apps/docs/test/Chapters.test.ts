import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Chapters from "../src/Chapters.ts"
import { groups, leftOut } from "../src/Contents.ts"
import type { Page } from "../src/Contents.ts"

const root = join(import.meta.dirname, "../../..")
const pages = groups.flatMap((group) => group.pages)
const sources = {
  read: (file: string) => readFileSync(join(root, file), "utf8"),
  exists: (file: string) => existsSync(join(root, file)),
}

const page = (name: string, ...from: ReadonlyArray<string>): Page => ({ name, title: `Page ${name}`, from })

const joined = (files: Readonly<Record<string, string>>, ...made: ReadonlyArray<Page>) =>
  Chapters.join(made, [], { read: (file) => files[file] ?? "", exists: (file) => file in files })

describe("the pages of this repository", () => {
  const site = Chapters.join(pages, leftOut, sources)

  it("have no link and no section that leads nowhere", () => {
    expect(site.problems).toEqual([])
  })

  it("take each section once", () => {
    const parts = [...pages.flatMap(({ from }) => from), ...leftOut]
    expect(parts.filter((part, at) => parts.indexOf(part) !== at)).toEqual([])
  })

  it("have every section of their documents, but those that are left out by name", () => {
    const files = new Set(pages.flatMap(({ from }) => from.map((part) => part.split("#")[0] ?? "")))
    const all = [...files].flatMap((file) => Chapters.sections(file, sources.read(file)))
    const missing = all.filter(
      ({ anchor, file, level }) => level === 2 && !site.addresses.has(`${file}#${anchor}`),
    )
    expect(missing.map(({ anchor, file }) => `${file}#${anchor}`).toSorted()).toEqual(leftOut.toSorted())
  })
})

describe("a page", () => {
  it("has the sections that it names, with those below them, and its own title for the first", () => {
    const { texts } = joined(
      { "a.md": "# A\n\nFirst.\n\n## One\n\n1\n\n### Deep\n\nd\n\n## Two\n\n2\n" },
      page("x", "a.md#two", "a.md#one"),
    )
    expect(texts.get("x")).toBe("# Page x\n\n\n2\n\n## One\n\n1\n\n### Deep\n\nd\n")
  })

  it("leaves a section to the page that names it", () => {
    const { texts } = joined(
      { "a.md": "# A\n\nFirst.\n\n## One\n\n1\n\n### Deep\n\nd\n\n## Two\n\n2\n" },
      page("x", "a.md"),
      page("y", "a.md#one"),
    )
    expect(texts.get("x")).toBe("# Page x\n\n\nFirst.\n\n## Two\n\n2\n")
    expect(texts.get("y")).toBe("# Page y\n\n\n1\n\n## Deep\n\nd\n")
  })

  it("leaves a section with all below it, also where a page names one of these", () => {
    const document = "# A\n\n## One\n\n### Deep\n\nd\n\n### Other\n\no\n\n## Two\n"
    const { texts } = joined(
      { "a.md": document },
      page("x", "a.md"),
      page("y", "a.md#one"),
      page("z", "a.md#deep"),
    )
    expect(texts.get("x")).toBe("# Page x\n\n\n## Two\n")
    expect(texts.get("y")).toBe("# Page y\n\n\n## Other\n\no\n")
  })

  it("stands for a document of which it has the beginning, or else the first section", () => {
    const files = {
      "a.md": "# A\n\n[b](b.md) [c](c.md)\n",
      "b.md": "# B\n\n## One\n\n## Two\n",
      "c.md": "# C\n\n## One\n",
    }
    const { texts } = joined(files, page("x", "a.md"), page("y", "b.md#two"), page("z", "b.md#one", "c.md"))
    expect(texts.get("x")).toContain("[b](/y) [c](/z#c)")
  })

  it("links to pages in place of documents, and to the number of a heading that is there twice", () => {
    const { problems, texts } = joined(
      {
        "a/one.md": "# A\n\n[b\nc](../two.md#same), [itself](#here), [code](code.ts), `[no](x)`\n\n## Here\n",
        "two.md": "# B\n\n## Same\n",
        "three.md": "# C\n\n## Same\n",
        "a/code.ts": "",
      },
      page("x", "a/one.md"),
      page("y", "three.md", "two.md"),
    )
    expect(problems).toEqual([])
    expect(texts.get("x")).toContain("[b\nc](/y#same-1), [itself](/x#here), code, `[no](x)`")
  })

  it("keeps code as it is", () => {
    const code = "```md\n# No heading\n[no](link.md)\n```"
    expect(joined({ "a.md": `# A\n\n${code}\n` }, page("x", "a.md")).texts.get("x")).toContain(code)
  })

  it.each([
    ["a file", "[x](gone.md)", "a.md links to gone.md, which is missing"],
    ["a heading", "[x](#gone)", "a.md links to #gone, whose heading is missing"],
    ["a picture", "![x](gone.png)", "a.md shows gone.png, which is missing"],
  ])("is refused when %s that it links to is missing", (_, text, problem) => {
    expect(joined({ "a.md": `# A\n\n${text}\n` }, page("x", "a.md")).problems).toEqual([problem])
  })

  it("is refused when a section that it names is missing", () => {
    expect(joined({ "a.md": "# A\n" }, page("x", "a.md#gone")).problems).toEqual([
      "a.md#gone is in no document",
    ])
  })
})
