/**
 * The packages as their users install them, loaded by Node, and checked by publint and by Are The Types Wrong. They read what `npm pack` makes of the build, so
 * `pnpm build` comes first.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as Tree from "../../src/tree/Tree.ts"

const packages = ["core", "export", "export-csv", "export-parquet", "export-xlsx", "sync", "sync-postgres"]

/** Runs a program of the registry in a package; gives its exit code, and what it printed when that is not 0. */
const run = (name: string, args: ReadonlyArray<string>): string => {
  const cwd = join(Tree.root, "packages", name)
  const { status, stderr, stdout } = spawnSync("npx", ["-y", ...args], { cwd, encoding: "utf8" })
  return status === 0 ? "0" : `${status}\n${stdout}${stderr}`
}

it.each(packages)(
  "%s has a manifest that bundlers and Node read without a warning",
  (name) => {
    expect(run(name, ["publint@0.3.25", "--strict", "--pack", "npm"])).toBe("0")
  },
  120_000,
)

it.each(packages)("%s is loaded by Node from each of its entry points", (name) => {
  const cwd = join(Tree.root, "packages", name)
  const { exports } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"))
  for (const entry of Object.keys(exports).filter((path) => !path.endsWith(".json"))) {
    const specifier = join("@deedkit", name, entry)
    const loads = `const names = Object.keys(await import(${JSON.stringify(specifier)})); console.log(names.length > 0)`
    const { stderr, stdout } = spawnSync("node", ["--input-type=module", "-e", loads], {
      cwd,
      encoding: "utf8",
    })
    expect(`${entry}: ${stdout.trim()}${stderr}`).toBe(`${entry}: true`)
  }
})

it.each(packages)(
  "%s has types for each of its entry points",
  (name) => {
    const args = ["@arethetypeswrong/cli@0.18.5", "--pack", ".", "--profile", "esm-only"]
    expect(run(name, args)).toBe("0")
  },
  120_000,
)
