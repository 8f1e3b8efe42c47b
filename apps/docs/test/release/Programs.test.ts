/**
 * The programs in the documents outside of core, which tests its own: every block of TypeScript is a whole program. They compile, and run one after the
 * other in one folder, as a reader would try them; what one prints is promised in lines that begin with `// => `. The ones that need PostgreSQL are only
 * compiled: the tests of @deedkit/sync-postgres run what they call.
 */
import { execFile, execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"

const execute = promisify(execFile)
const root = join(import.meta.dirname, "../../../..")
const files = execFileSync("git", ["ls-files", "README.md", "packages/*.md", "apps/*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) => !file.startsWith("packages/core/"))

const programs = files.flatMap((file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(/^```ts\n(?<text>[^]*?)^```$/gm)].map(
    ({ groups }, at) => {
      const text = groups?.["text"] ?? ""
      const promised = [...text.matchAll(/^\/\/ => (.*)$/gm)].map(([, line]) => `${line}\n`).join("")
      return { place: `${file}, ${at + 1}`, name: `${file.replaceAll(/\W/g, "-")}-${at}`, text, promised }
    },
  ),
)

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deedkit-programs-"))
  const link = async (name: string, target: string) => {
    await mkdir(dirname(join(folder, "node_modules", name)), { recursive: true })
    await symlink(target, join(folder, "node_modules", name))
  }
  for (const name of await readdir(join(root, "packages")))
    await link(`@deedkit/${name}`, join(root, "packages", name))
  await link("effect", join(root, "packages/core/node_modules/effect"))
  await link("@types/node", join(root, "node_modules/@types/node"))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  const compilerOptions = {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    types: ["node"],
    // Types as a package has them.
    customConditions: [],
    // A short program names what its reader goes on with.
    noUnusedLocals: false,
    plugins: [],
  }
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: join(root, "tsconfig.base.json"), compilerOptions, include: ["*.ts"] }),
  )
  await copyFile(join(root, "packages/core/test/platforms/guide/service.ts"), join(folder, "service.ts"))
  for (const { name, text } of programs) await writeFile(join(folder, `${name}.ts`), text)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it("are found in every package that is a library", () => {
  const packages = new Set(programs.map(({ place }) => place.split("/")[1]))
  for (const name of [
    "emulator",
    "export",
    "export-csv",
    "export-xlsx",
    "export-parquet",
    "sync",
    "sync-postgres",
  ])
    expect(packages).toContain(name)
})

it("compile", () => {
  const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" })
  expect(stdout).toBe("")
})

it.each(programs.filter(({ text }) => !text.includes("postgres://")))(
  "run, and print what they promise: $place",
  async ({ name, promised }) => {
    const { stderr, stdout } = await execute(
      process.execPath,
      ["--conditions=@deedkit/source", "--import", "./service.ts", `${name}.ts`],
      { cwd: folder },
    )
    expect(stderr).toBe("")
    if (promised !== "") expect(stdout).toBe(promised)
  },
)
