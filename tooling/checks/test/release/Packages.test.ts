/**
 * The packages as their users install them, loaded by Node, and checked by publint and by Are The Types Wrong. They read what `npm pack` makes of the build, so
 * `pnpm build` comes first.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
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

/** What a package of someone else may export of ours, without a type of its own. */
const exported = `import { PropertyClient } from "@deedkit/core"
import { open } from "@deedkit/core/promise-open"
import { createClient } from "@deedkit/core/promise"
import * as Emulator from "@deedkit/emulator"
import { apiKeys, contracts, json, months, ndjson, units } from "@deedkit/export"
import * as Csv from "@deedkit/export-csv"
import * as Parquet from "@deedkit/export-parquet"
import { job, run, verify } from "@deedkit/export/run"
import * as Xlsx from "@deedkit/export-xlsx"
import * as Sync from "@deedkit/sync"
import * as Cluster from "@deedkit/sync-postgres/cluster"
import * as Postgres from "@deedkit/sync-postgres"

const options = { baseUrl: "https://api.example.com", apiKey: "key" }
export const client = createClient(options)
export const opened = open(client)
export const request = opened.request({ path: "/v1/me/" })
export const made = PropertyClient.make(options)
export const pages = (service: PropertyClient.Service) => service.contracts.pages()
export const probed = (service: PropertyClient.Service) => service.contracts.probeCursor
export const emulator = Emulator.make()
export const { defaults, kinds } = Emulator
export const tables = { apiKeys, contracts, months, units }
export const writers = { csv: Csv.writer(), json, ndjson, parquet: Parquet.writer(), xlsx: Xlsx.writer() }
export const verified = verify("contracts.csv")
export const runs = { job, run }
export const stores = { ...Sync, ...Postgres, ...Cluster }
`

it("can be named in the declarations of a package that exports what they give", () => {
  const folder = mkdtempSync(join(tmpdir(), "deedkit-declarations-"))
  try {
    for (const name of [...packages, "emulator"])
      for (const part of ["package.json", "dist"])
        cpSync(join(Tree.root, "packages", name, part), join(folder, "node_modules/@deedkit", name, part), {
          recursive: true,
        })
    symlinkSync(join(Tree.root, "packages/core/node_modules/effect"), join(folder, "node_modules/effect"))
    const compilerOptions = {
      strict: true,
      declaration: true,
      module: "nodenext",
      target: "es2024",
      lib: ["es2024", "dom", "esnext.disposable"],
      types: [],
      skipLibCheck: true,
      outDir: "out",
    }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["exported.ts"] }))
    writeFileSync(join(folder, "exported.ts"), exported)
    const tsc = join(Tree.root, "node_modules/.bin/tsc")
    expect(spawnSync(tsc, ["-p", folder], { encoding: "utf8" }).stdout).toBe("")
    const declarations = readFileSync(join(folder, "out/exported.d.ts"), "utf8")
    expect(declarations).toContain('import("@deedkit/export").Writer')
    expect(declarations).not.toContain("node_modules")
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 60_000)
