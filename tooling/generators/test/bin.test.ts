import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { Tree } from "@deedkit/checks"
import { expect, it } from "vitest"

const bin = join(import.meta.dirname, "..", "src", "bin.ts")

/** Runs the command with arguments that make nothing. */
const run = (args: ReadonlyArray<string>, folder = ".") => {
  const node = ["--conditions=@deedkit/source", bin, ...args]
  const cwd = join(Tree.root, folder)
  const { status, stderr, stdout } = spawnSync(process.execPath, node, { cwd, encoding: "utf8" })
  return { status, stderr, stdout }
}

it("shows how it is used", () => {
  const { status, stdout } = run(["--help"])
  expect(status).toBe(0)
  for (const kind of ["fault", "command", "endpoint", "format"]) expect(stdout).toContain(`pnpm new ${kind} `)
})

it.each([
  [[], "Give a kind and a name.\n\npnpm new fault"],
  [["fault"], "Give a kind and a name."],
  [["fault", "a", "b"], "Give a kind and a name."],
  [["fault", "a", "--colour"], "Unknown option '--colour'"],
  [["fault", "a", "--category"], "argument missing"],
  [["format", "a", "--category", "bodies"], "--category is for a fault only."],
  [["fault", "a", "--folder", "doctor"], "--folder is for a command only."],
  [["package", "a"], '"package" cannot be made.'],
  [["command", "me/x"], 'No command "me" has subcommands.'],
  [["command", "../x"], 'No command ".." has subcommands.'],
  [["command", "keys/audit/x"], '"audit/x" is not a valid name.'],
  [["format", "../x"], '"../x" is not a valid name.'],
])("refuses %j with 2 and a sentence", (args, sentence) => {
  const { status, stderr, stdout } = run(args)
  expect([status, stdout]).toEqual([2, ""])
  expect(stderr).toContain(sentence)
  expect(stderr).toMatch(/\nNothing was written\.\n$/)
})

it("knows its workspace from any folder", () => {
  expect(run(["fault", "drop", "--category", "bodies"], "packages/core/src").stderr).toBe(
    "The fault drop exists already. Choose another name.\nNothing was written.\n",
  )
})
