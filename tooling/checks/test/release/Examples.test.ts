import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import * as Examples from "../../src/rules/Examples.ts"
import * as Tree from "../../src/Tree.ts"
import { here } from "../workspace.ts"

const run = promisify(execFile)
/** Most modules are the same in each example, so compiled code is kept from one to the next. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(Tree.root, "node_modules/.cache/examples") }

describe("Examples", () => {
  it.each(Examples.paths(here).map((path) => [path]))(
    "%s prints the output that it ends in",
    async (path) => {
      const { stdout } = await run(process.execPath, ["--conditions=@deedkit/source", path], {
        cwd: Tree.root,
        env,
      })
      expect(Examples.shown(stdout)).toBe(Examples.promised(here.text(path)))
    },
  )

  it("reads the promised output from the block at the end", () => {
    expect(Examples.promised("run()\n\n// Output:\n// => one\n// =>\n// =>   three\n")).toBe("one\n\n  three")
    expect(Examples.promised("// Output:\n// => first\nrun()\n// Output:\n// => last")).toBe("last")
  })

  it.each([
    "run()\n",
    "run()\n// Output:\n",
    "// Output:\n// => one\nrun()\n",
    "run()\n// Output:\n// one\n",
  ])("finds no promise in %j", (text) => {
    expect(Examples.promised(text)).toBeNull()
  })

  it("takes line ends and blanks at the end of lines for the same output", () => {
    expect(Examples.shown("one \r\n\r\n  two\r\n\r\n")).toBe("one\n\n  two")
  })
})
