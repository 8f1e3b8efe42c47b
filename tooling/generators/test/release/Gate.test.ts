/**
 * One of each kind, made in a copy of this workspace, passes the gate there. The copy is installed from the store of this machine, and
 * everything runs in it as in a checkout.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { Tree } from "@deedkit/checks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const minutes = 60_000
const root = mkdtempSync(join(tmpdir(), "deedkit-new-"))
/** What this test's own runner and git set would change what runs in the copy. */
const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|GIT_)/.test(name))
const env = {
  ...Object.fromEntries(own),
  NO_COLOR: "1",
  PATH: [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
}

/** Runs a program in the copy; gives its exit code, and what it printed when that is not 0. */
const run = (program: string, args: string, folder = "."): string => {
  const cwd = join(root, folder)
  const { status, stderr, stdout } = spawnSync(program, args.split(" "), { cwd, env, encoding: "utf8" })
  return status === 0 ? "0" : `${status}\n${stdout}${stderr}`
}

const longest = "a-name-that-has-exactly-forty-characters"
const made = [
  "format sample-rows",
  "fault sample-thing --category refusals",
  `fault ${longest} --category cursors`,
  "command sample-count",
  "command keys/iso-8601-count",
  "endpoint sample-8-index",
  `endpoint ${longest}`,
]

/** The tests of what was made, and those that go through the lists in which it is. */
const tests = [
  "packages/export-sample-rows",
  "packages/emulator/test/faults",
  "packages/emulator/test/routes",
  "packages/emulator/test/README.test.ts",
  "packages/core/test/client",
  "packages/core/test/model",
  "packages/core/test/platforms/bundle.test.ts",
  "packages/core/test/servers/faults.test.ts",
  "packages/core/test/servers/openQuestions.test.ts",
  "apps/cli/test/sample-count",
  "apps/cli/test/records/keys",
  "apps/cli/test/command",
  "apps/cli/test/program/Help.test.ts",
  "apps/cli/test/program/Faults.test.ts",
]
const projects = ["core", "emulator", "export-sample-rows"].map((name) => `--project @deedkit/${name}`)

/** Runs what the tests need; throws what it printed when it fails. */
const must = (program: string, args: string, folder?: string): void => {
  const result = run(program, args, folder)
  if (result !== "0") throw new Error(`${program} ${args} ended with ${result}`)
}

beforeAll(() => {
  for (const path of Tree.read(Tree.root).paths) cpSync(join(Tree.root, path), join(root, path))
  must("git", "init --quiet")
  must("npx", "-y pnpm@12 install --prefer-offline")
  // From another folder than the root.
  for (const each of made) must("npx", `-y pnpm@12 -w new ${each}`, "packages/core")
  must("npx", "-y pnpm@12 install --prefer-offline --no-frozen-lockfile")
}, 5 * minutes)
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe("one of each kind", () => {
  it.each([
    ["is formatted", "oxfmt", "--check ."],
    ["has nothing that the linter finds", "oxlint", "--type-aware --deny-warnings"],
    ["has types that hold", "tsc", "-b"],
    ["has no effect that is lost", "node", "tooling/checks/src/effectDiagnostics.ts"],
    ["keeps the rules of the tree", "vitest", "run --reporter=dot --project @deedkit/checks"],
    ["passes its tests", "vitest", ["run --reporter=dot --project deedkit", ...projects, ...tests].join(" ")],
  ])(
    "%s",
    (_, program, args) => {
      expect(run(program, args)).toBe("0")
    },
    9 * minutes,
  )

  it(
    "has nothing that is unused",
    () => {
      // What @deedkit/export-xlsx builds is what one of its imports names.
      must("node", "packages/export-xlsx/build.ts")
      expect(run("knip", "--treat-config-hints-as-errors")).toBe("0")
    },
    2 * minutes,
  )

  it.each(made)("is made once: %s", (each) => {
    must("git", "add --all")
    must("git", "-c user.name=x -c user.email=x@example.test commit --quiet --allow-empty -m made")
    expect(run("npx", `-y pnpm@12 new ${each}`)).toMatch(/^2\n[^]* exists already, as /)
    must("git", "add --all")
    expect(run("git", "diff --cached --exit-code")).toBe("0")
  })
})
