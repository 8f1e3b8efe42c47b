import { Tree } from "@deedkit/checks"
import { describe, expect, it } from "vitest"
import * as Edit from "../../src/plan/Edit.ts"
import { Refused } from "../../src/plan/Refused.ts"

const imports = 'first\nimport { b } from "./b.ts"\nimport { d } from "./d.ts"\nlast\n'
const imported = /^import \{ (\w+) \} from ".*"$/
const list = /(const all = \[)([^\]]*)/

describe("line", () => {
  it.each([
    ["a", ["a", "b", "d"]],
    ["c", ["b", "c", "d"]],
    ["e", ["b", "d", "e"]],
  ])("adds %s in the order of the keys", (name, order) => {
    const text = Edit.line(imported, `import { ${name} } from "./${name}.ts"`)(imports)
    expect(text).toBe(
      ["first", ...order.map((each) => `import { ${each} } from "./${each}.ts"`), "last", ""].join("\n"),
    )
  })

  it("keeps a folder beside its own files", () => {
    const text = Edit.line(/^(\S+)$/, "a-b")("a\na/test\nb\n")
    expect(text).toBe("a\na/test\na-b\nb\n")
  })

  it("adds behind the last line where the pattern names no key", () => {
    expect(Edit.line(/^import .*$/, "import a")(imports)).toContain('"./d.ts"\nimport a\nlast')
  })

  it("needs a line that is like it", () => {
    expect(() => Edit.line(imported, "import a")("nothing\n")).toThrow(Refused)
  })
})

describe("item", () => {
  it.each([
    ["sorted", "b", "const all = [a, b, c]"],
    ["sorted", "d", "const all = [a, c, d]"],
    ["last", "b", "const all = [a, c, b]"],
    [{ after: "a" }, "z", "const all = [a, z, c]"],
    [{ after: "c" }, "z", "const all = [a, c, z]"],
  ] as const)("adds at the place %j: %s", (place, added, text) => {
    expect(Edit.item(list, added, place)("const all = [a, c]")).toBe(text)
  })

  it("reads lists of one line and of several, and empty ones", () => {
    const tree = Tree.of({ "a.ts": "const all = [\n  a,\n  b,\n]" })
    expect(Edit.itemsOf(tree, "a.ts", list)).toEqual(["a", "b"])
    expect(Edit.item(list, "a", "sorted")("const all = []")).toBe("const all = [a]")
  })

  it("sorts quoted items by what is quoted", () => {
    expect(Edit.item(list, '"b-c"', "sorted")('const all = ["a", c]')).toBe('const all = ["a", "b-c", c]')
  })

  it("needs exactly one such list", () => {
    expect(() => Edit.item(list, "a", "last")("none")).toThrow("has 0 places")
    expect(() => Edit.item(list, "a", "last")("const all = []\nconst all = []")).toThrow("has 2 places")
  })
})

describe("after", () => {
  it("puts a text beside the only place", () => {
    expect(Edit.after(/b/, "x")("abc")).toBe("abxc")
    expect(Edit.after(/(?=b)/, "x")("abc")).toBe("axbc")
    expect(Edit.after(/^b$/m, "x")("a\nb\nc")).toBe("a\nbx\nc")
  })

  it("takes a text as it is, whatever it means to a pattern", () => {
    expect(Edit.after(/b/, "$&$1")("abc")).toBe("ab$&$1c")
  })
})

describe("apply", () => {
  const tree = Tree.of({ "a.ts": "one\n", "b.ts": "<<<<<<< ours\none\n=======\n" })

  it("makes all additions", () => {
    const edits = [Edit.after(/one/, " two"), Edit.after(/(?=two)/, "and ")]
    expect(Edit.apply(tree, "a.ts", edits)).toBe("one and two\n")
  })

  it.each([
    ["c.ts", /one/, "c.ts is missing."],
    ["b.ts", /one/, "b.ts has conflicts. Resolve them first."],
    ["a.ts", /two/, "a.ts has 0 places that look like /two/, and not one: nothing can be added there."],
  ])("refuses %s, in which %s is looked for", (path, pattern, message) => {
    expect(() => Edit.apply(tree, path, [Edit.after(pattern, "x")])).toThrow(new Refused(message))
  })
})
