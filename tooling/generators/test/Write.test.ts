import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { write } from "../src/Write.ts"

let root: string

/** Every file below the folder with its text; a folder ends in a slash. */
const files = (): object =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(root.length + 1)
      return entry.isDirectory() ? [`${name}/`, null] : [name, readFileSync(path, "utf8")]
    }),
  )

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "deedkit-write-"))
  writeFileSync(join(root, "list"), "old")
  mkdirSync(join(root, "src"))
})
afterEach(() => rmSync(root, { recursive: true }))

it("writes new files into new folders, and changes others", () => {
  write(root, { made: { "src/a/b/new": "new" }, changed: { list: "longer than before" } })
  expect(files()).toEqual({
    list: "longer than before",
    "src/": null,
    "src/a/": null,
    "src/a/b/": null,
    "src/a/b/new": "new",
  })
})

it.each([
  ["a new file is there already", { "src/new": "new", list: "new" }, {}],
  ["a folder of a new file is a file", { "src/a/new": "new", "list/new": "new" }, {}],
  ["a file to change is gone", { "src/a/new": "new" }, { list: "new", gone: "new" }],
  ["a file to change is a folder", { "src/new": "new" }, { list: "new", src: "new" }],
])("leaves everything as it was when %s", (_, made, changed) => {
  const before = files()
  expect(() => write(root, { made, changed })).toThrow(/EEXIST|ENOTDIR|ENOENT|EISDIR/)
  expect(files()).toEqual(before)
})
