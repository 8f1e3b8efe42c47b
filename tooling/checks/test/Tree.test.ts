import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import * as Tree from "../src/Tree.ts"

describe("Tree", () => {
  it("lists what git tracks or would track, without what is ignored or deleted", () => {
    const root = mkdtempSync(join(tmpdir(), "tree-"))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const git = (...asked: ReadonlyArray<string>) => execFileSync("git", asked, { cwd: root })
    git("init", "--quiet")
    for (const name of ["tracked.ts", "deleted.ts", "new.ts", "built.js"])
      writeFileSync(join(root, name), name)
    writeFileSync(join(root, ".gitignore"), "*.js\n")
    git("add", "tracked.ts", "deleted.ts")
    rmSync(join(root, "deleted.ts"))

    const tree = Tree.read(root)
    expect(tree.paths).toEqual([".gitignore", "new.ts", "tracked.ts"])
    expect(tree.text("new.ts")).toBe("new.ts")
  })

  it("finds itself in this workspace, so no rule passes because it saw nothing", () => {
    const { paths } = Tree.read(Tree.root)
    expect(paths).toContain("tooling/checks/test/Tree.test.ts")
    expect(paths).toContain("packages/core/src/index.ts")
  })
})

describe("Finding", () => {
  it("prints as file, line and advice, in the order of the tree", () => {
    expect(
      Tree.lines([
        { path: "b.ts", line: 10, message: "second" },
        { path: "b.ts", line: 9, message: "first" },
        { path: "a", line: null, message: "whole file" },
      ]),
    ).toEqual(["a whole file", "b.ts:9 first", "b.ts:10 second"])
  })
})
