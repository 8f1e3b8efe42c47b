/** The programs in the README and in `docs/` compile, run and print what they promise; links between the documents lead somewhere. */
import { execFile, execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Guide from "../guide/Guide.ts"

const execute = promisify(execFile)
const { root } = Guide
let folder = ""

const options = {
  extends: join(root, "../../tsconfig.base.json"),
  compilerOptions: {
    noEmit: true,
    composite: false,
    declarationMap: false,
    declaration: false,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    types: ["node"],
    plugins: [],
  },
  include: ["*.ts"],
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deedkit-guide-"))
  const links = {
    "@deedkit/core": root,
    "@deedkit/emulator": join(root, "../emulator"),
    "@types/node": join(root, "../../node_modules/@types/node"),
    effect: join(root, "node_modules/effect"),
  }
  for (const [name, target] of Object.entries(links)) {
    const path = join(folder, "node_modules", name)
    await mkdir(dirname(path), { recursive: true })
    await symlink(target, path)
  }
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(options))
  await copyFile(join(import.meta.dirname, "..", "guide", "service.ts"), join(folder, "service.ts"))
  for (const { name, text } of Guide.all) await writeFile(join(folder, `${name}.ts`), text)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("the documents of core", () => {
  it("hold programs that compile", () => {
    const { stdout } = spawnSync(join(root, "../../node_modules/.bin/tsc"), ["-p", folder], {
      encoding: "utf8",
    })
    expect(stdout).toBe("")
  })

  it.each(Guide.all.map((program) => [program.place, program] as const))(
    "hold a program that prints what it promises: %s",
    async (_place, { name, promised }) => {
      const conditions = "--conditions=@deedkit/source"
      const { stderr, stdout } = await execute(
        process.execPath,
        [conditions, "--import", "./service.ts", `${name}.ts`],
        { cwd: folder, env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") } },
      )
      expect(stderr).toBe("")
      if (promised !== null) expect(stdout).toBe(promised)
    },
  )

  it("hold no code that is not run but commands of a shell", () => {
    for (const path of ["README.md", ...Guide.documents.map((name) => `docs/${name}`)]) {
      const fences = [...readFileSync(join(root, path), "utf8").matchAll(/^.*```.*$/gm)].map(([line]) => line)
      const opening = fences.filter((_, at) => at % 2 === 0)
      expect([path, opening.filter((line) => line !== "```ts" && line !== "```sh")]).toEqual([path, []])
    }
  })

  it("are all linked from the README", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8")
    for (const name of Guide.documents) expect(readme).toContain(`](docs/${name})`)
  })

  it("link only to files that are there", () => {
    for (const path of ["README.md", "llms.txt", ...Guide.documents.map((name) => `docs/${name}`)]) {
      const links = readFileSync(join(root, path), "utf8").matchAll(/\]\((?!https?:)(?<target>[^)#]+)/g)
      for (const { groups } of links) {
        const target = groups?.["target"] ?? ""
        expect([path, target, existsSync(join(root, dirname(path), target))]).toEqual([path, target, true])
      }
    }
  })

  it("are listed in llms.txt, with every example", () => {
    const list = readFileSync(join(root, "llms.txt"), "utf8")
    const examples = execFileSync("git", ["ls-files", "examples"], { cwd: root, encoding: "utf8" })
    const files = [
      "README.md",
      ...Guide.documents.map((name) => `docs/${name}`),
      ...examples.trim().split("\n"),
    ]
    for (const file of files) expect(list).toContain(`](${file})`)
  })
})

describe("a program of a document", () => {
  it("is found with its place and the lines that it promises", () => {
    const text = 'console.log("one")\n  // => one\n// =>\n// => two\n'
    expect(Guide.programs("docs/x.md", `# X\n\n\`\`\`ts\n${text}\`\`\`\n\n\`\`\`sh\nls\n\`\`\`\n`)).toEqual([
      { place: "docs/x.md:3", name: "x-3", text, promised: "one\n\ntwo\n" },
    ])
  })
})
