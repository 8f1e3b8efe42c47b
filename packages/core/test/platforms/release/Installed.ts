/**
 * A folder outside of the workspace with the packed packages beside the oldest and the newest Effect that they allow, as users have them, and
 * the programs to try there. Everything but our packages is pinned by the lockfile in `matrix`.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Guide from "../guide/Guide.ts"

const execute = promisify(execFile)
const packages = join(Guide.root, "..")
const packed = ["core", "emulator", "export", "export-csv", "export-xlsx"]

export const effects = ["oldest", "newest"] as const
export const compilers = ["5.9", "6", "7"] as const

/** Programs as modules, `.mts`, and the same for `require`, `.cts`, where nothing is awaited outside of a function. */
const commonJs = (text: string): string => {
  const imports = /^(?:import .*\n|\s*\n)*/.exec(text)?.[0] ?? ""
  return `${imports}const main = async () => {\n${text.slice(imports.length)}}\nvoid main()\n`
}

const settings = (compiler: string, module: string, include: ReadonlyArray<string>) => ({
  compilerOptions: {
    module,
    moduleResolution: module === "nodenext" ? "nodenext" : "bundler",
    target: "es2022",
    lib: ["es2023", "esnext.disposable", "dom", "dom.iterable"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    rootDir: ".",
    ...(module === "nodenext" ? { outDir: `made-${compiler}` } : { noEmit: true }),
  },
  include,
})

/** The folder; `[Symbol.asyncDispose]` removes it. */
export interface Installed extends AsyncDisposable {
  readonly folder: string
  /** The files of each package, as its tarball lists them. */
  readonly files: (name: string) => Promise<ReadonlyArray<string>>
}

const write = async (folder: string): Promise<void> => {
  await mkdir(join(folder, "programs"))
  await cp(join(import.meta.dirname, "../guide/service.ts"), join(folder, "service.ts"))
  for (const { name, text } of Guide.readme) {
    await writeFile(join(folder, "programs", `${name}.mts`), text)
    await writeFile(join(folder, "programs", `${name}.cts`), commonJs(text))
  }
  await mkdir(join(folder, "documents"))
  for (const { name, text } of Guide.all) await writeFile(join(folder, "documents", `${name}.ts`), text)
  for (const name of packed) {
    const examples = join(packages, name, "examples")
    if (existsSync(examples)) await cp(examples, join(folder, "examples", name), { recursive: true })
  }
  for (const compiler of compilers) {
    const node = settings(compiler, "nodenext", ["programs"])
    const bundler = settings(compiler, "preserve", ["programs/*.mts"])
    await writeFile(join(folder, `nodenext-${compiler}.json`), JSON.stringify(node))
    await writeFile(join(folder, `bundler-${compiler}.json`), JSON.stringify(bundler))
  }
}

/** Packs, installs and writes. The packages have to be built. */
export const install = async (): Promise<Installed> => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-matrix-"))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await cp(join(import.meta.dirname, "matrix"), folder, {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    })
    const tarballs: { [name: string]: string } = {}
    for (const name of packed) {
      const cwd = join(packages, name)
      const args = ["-y", "pnpm@12", "pack", "--json", "--pack-destination", folder]
      const { filename }: { filename: string } = JSON.parse((await execute("npx", args, { cwd })).stdout)
      tarballs[`@deedkit/${name}`] = `file:${filename}`
    }
    for (const effect of effects) {
      const path = join(folder, effect, "package.json")
      const manifest: { dependencies: object } = JSON.parse(await readFile(path, "utf8"))
      Object.assign(manifest.dependencies, tarballs)
      await writeFile(path, JSON.stringify(manifest))
      await write(join(folder, effect))
    }
    await writeFile(
      join(folder, "pnpm-workspace.yaml"),
      `${await readFile(join(folder, "pnpm-workspace.yaml"), "utf8")}\noverrides: ${JSON.stringify(tarballs)}\n`,
    )
    const args = ["-y", "pnpm@12", "install", "--no-frozen-lockfile", "--prefer-offline"]
    await execute("npx", args, { cwd: folder, env: { ...process.env, CI: "" } })
  } catch (cause) {
    await remove()
    throw cause
  }
  return {
    folder,
    files: async (name) => {
      const at = join(folder, "newest/node_modules/@deedkit", name)
      return readdir(at, { recursive: true })
    },
    [Symbol.asyncDispose]: remove,
  }
}
