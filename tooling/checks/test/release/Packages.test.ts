/**
 * The packages as they are published: packed, checked by publint and by Are The Types Wrong, and loaded by Node. They hold what was built, so `pnpm build` comes
 * first.
 */
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Tree from "../../src/Tree.ts"

const packages = [
  "core",
  "emulator",
  "export",
  "export-csv",
  "export-parquet",
  "export-xlsx",
  "sync",
  "sync-postgres",
]

/** They are ES modules, which Node's `require` loads too; what resolves neither `exports` nor modules is not asked for. */
const notOffered = new Set(["node10", "node16-cjs"])

const folder = mkdtempSync(join(tmpdir(), "deedkit-packed-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Packs what is in a folder of the repository. The path of the tarball. */
const pack = (path: string): string => {
  const args = ["-y", "pnpm@12", "pack", "--json", "--pack-destination", folder]
  const { status, stderr, stdout } = spawnSync("npx", args, { cwd: join(Tree.root, path), encoding: "utf8" })
  if (status !== 0) throw new Error(`${path} cannot be packed: ${stderr}${stdout}`)
  const { filename }: { filename: string } = JSON.parse(stdout.slice(stdout.indexOf("{")))
  return filename
}

const tar = (...args: ReadonlyArray<string>): string => spawnSync("tar", args, { encoding: "utf8" }).stdout

describe.each([...packages.map((name) => `packages/${name}`), "apps/cli"])("the tarball of %s", (path) => {
  let tarball: string
  beforeAll(() => void (tarball = pack(path)), 120_000)

  it("holds a licence and says where it is from, who may have it, and which versions it needs", () => {
    expect(tar("-tzf", tarball).split("\n")).toEqual(
      expect.arrayContaining(["package/LICENSE", "package/README.md", "package/package.json"]),
    )
    const manifest = tar("-xzOf", tarball, "package/package.json")
    expect(manifest).not.toMatch(/"(?:catalog|workspace|link|file):/)
    expect(JSON.parse(manifest)).toMatchObject({
      license: "MIT",
      repository: { url: "git+https://github.com/deedkit/deedkit.git", directory: path },
      publishConfig: { access: "public", provenance: true },
      engines: { node: ">=22.19" },
    })
  })

  it("is published by npm without a warning", () => {
    // No registry answers there, and none is asked: this only goes through what npm does before it sends the tarball.
    const registry = [
      "--registry=http://127.0.0.1:9/",
      "--//127.0.0.1:9/:_authToken=none",
      "--fetch-retries=0",
    ]
    const args = ["publish", "--dry-run", "--loglevel=warn", ...registry, tarball]
    const { status, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" })
    expect([status, stderr]).toEqual([0, ""])
  })
})

describe.each(packages)("%s", (name) => {
  const cwd = join(Tree.root, "packages", name)
  let tarball: Uint8Array<ArrayBuffer>

  beforeAll(() => {
    tarball = new Uint8Array(readFileSync(pack(`packages/${name}`)))
  }, 120_000)

  it("has a manifest that bundlers and Node read without a warning", async () => {
    const pack = { tarball: tarball.buffer }
    const { messages, pkg } = await publint({ pack, strict: true, level: "warning" })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  it("has types for each of its entry points", async () => {
    const checked = await checkPackage(createPackageFromTarballData(tarball))
    const problems = checked.types === false ? [checked] : checked.problems
    expect(
      problems.filter(
        (problem) => !("resolutionKind" in problem && notOffered.has(problem.resolutionKind ?? "")),
      ),
    ).toEqual([])
  }, 120_000)

  it("is loaded by Node from each of its entry points", () => {
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
})

/** What a package of someone else may export of ours, without a type of its own. */
const exported = `import { PropertyClient } from "@deedkit/core"
import { createClient } from "@deedkit/core/promise"
import * as Emulator from "@deedkit/emulator"
import { apiKeys, contracts, json, months, ndjson, units } from "@deedkit/export"
import * as Csv from "@deedkit/export-csv"
import * as Parquet from "@deedkit/export-parquet"
import { job, run, verify } from "@deedkit/export/run"
import * as Xlsx from "@deedkit/export-xlsx"
import * as Sync from "@deedkit/sync"
import * as Workers from "@deedkit/sync-postgres/worker"
import * as Postgres from "@deedkit/sync-postgres"

const options = { baseUrl: "https://api.example.com", apiKey: "key" }
export const client = createClient(options)
export const request = client.request("/v1/me/")
export const made = PropertyClient.make(options)
export const pages = (service: PropertyClient.Service) => service.contracts.pages()
export const probed = (service: PropertyClient.Service) => service.contracts.probeCursor
export const emulator = Emulator.make()
export const { defaults, kinds } = Emulator
export const tables = { apiKeys, contracts, months, units }
export const writers = { csv: Csv.writer(), json, ndjson, parquet: Parquet.writer(), xlsx: Xlsx.writer() }
export const verified = verify("contracts.csv")
export const runs = { job, run }
export const stores = { ...Sync, ...Postgres, ...Workers }
`

it("can be named in the declarations of a package that exports what they give", () => {
  const folder = mkdtempSync(join(tmpdir(), "deedkit-declarations-"))
  try {
    for (const name of packages)
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
