/**
 * Every example prints what it says. An example ends with the line `// Output:` and then its output, each line after `// => `. Line endings and trailing spaces do
 * not count, because formatters and terminals change both.
 */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import * as Tree from "../../src/Tree.ts"
import { here } from "../workspace.ts"

const run = promisify(execFile)
/** Most modules are the same in each example, so compiled code is kept from one to the next. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(Tree.root, "node_modules/.cache/examples") }

const examples = Tree.modules(here).filter(({ area }) => area === "examples")

/** The visible output: lines without trailing spaces, and no empty lines at the end. */
const shown = (output: string): string =>
  output
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd()

/** The output that an example promises; null if it promises none. */
const promised = (text: string): string | null => {
  const block = /(?:^|\n)\/\/ Output:\n(?<lines>(?:\/\/ =>[^\n]*(?:\n|$))+)\s*$/.exec(text)?.groups?.["lines"]
  return block === undefined ? null : shown(block.replaceAll(/^\/\/ => ?/gm, ""))
}

describe("examples", () => {
  it.each(examples.map(({ path }) => [path]))("%s prints the output that it ends in", async (path) => {
    const { stdout } = await run(process.execPath, ["--conditions=@deedkit/source", path], {
      cwd: Tree.root,
      env,
    })
    expect(shown(stdout)).toBe(promised(here.text(path)))
  })
})
