/** Makes what a release hands out in `dist`, and goes through publishing without doing it. `--binary` makes the single file for this system alone. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { changeOf, entryOf, notes } from "./Notes.ts"
import type { Change } from "./Notes.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const out = join(root, "dist")
const isWindows = process.platform === "win32"

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const run = (command: string, args: ReadonlyArray<string>, cwd = root): void =>
  void execFileSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"], shell: isWindows })

const pnpm = (args: ReadonlyArray<string>, cwd = root): void => run("npx", ["-y", "pnpm@12", ...args], cwd)

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
}

/** The packages that are published, with their folders. */
const packages = globSync(["packages/*/package.json", "apps/*/package.json"], { cwd: root })
  .toSorted()
  .map((path) => ({
    folder: join(root, dirname(path)),
    manifest: JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest,
  }))
  .filter(({ manifest }) => manifest.private !== true)
const version = packages.find(({ manifest }) => manifest.name === "deedkit")?.manifest.version ?? "none"

const binary = (): void => {
  const folder = mkdtempSync(join(tmpdir(), "deedkit-release-"))
  try {
    const build = join(root, "apps/cli/binary/build.ts")
    run(process.execPath, ["--conditions=@deedkit/source", build, folder])
    const name = `deedkit-${version}-${process.platform}-${process.arch}.tgz`
    copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"))
    run("tar", ["-czf", join(out, name), "-C", folder, "."])
    say(name)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const tarballs = (): void => {
  const npm = join(out, "npm")
  rmSync(npm, { recursive: true, force: true })
  mkdirSync(npm)
  for (const { folder } of packages) pnpm(["pack", "--pack-destination", npm], folder)
  for (const name of globSync("*.tgz", { cwd: npm })) {
    run("npm", ["publish", "--dry-run", "--loglevel=error", `./${name}`], npm)
    say(`npm/${name} could be published`)
  }
}

const extension = (): void => {
  for (const name of globSync("*.zip", { cwd: out })) rmSync(join(out, name))
  const made = join(root, "apps/extension/dist")
  for (const path of globSync("*.zip", { cwd: made })) rmSync(join(made, path))
  pnpm(["--filter", "@deedkit/extension", "zip"])
  for (const path of globSync("*.zip", { cwd: made })) copyFileSync(join(made, path), join(out, path))
}

/** What is in the changelogs of this version; before `pnpm changeset version`, what the open changesets say. */
const changes = (): ReadonlyArray<Change> => {
  const open = globSync(".changeset/*.md", { cwd: root })
    .filter((path) => basename(path) !== "README.md")
    .toSorted()
  if (open.length > 0) return open.map((path) => changeOf(readFileSync(join(root, path), "utf8")))
  return packages.flatMap(({ folder, manifest }) => {
    const changelog = join(folder, "CHANGELOG.md")
    const text = existsSync(changelog) ? entryOf(readFileSync(changelog, "utf8"), manifest.version) : null
    return text === null ? [] : [{ packages: [manifest.name], text }]
  })
}

const checksums = (): void => {
  const paths = globSync(["*", "npm/*.tgz"], { cwd: out })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path !== "npm" && path !== "SHA256SUMS")
    .toSorted()
  const lines = paths.map((path) => {
    const sum = createHash("sha256")
      .update(readFileSync(join(out, path)))
      .digest("hex")
    return `${sum}  ${path}\n`
  })
  writeFileSync(join(out, "SHA256SUMS"), lines.join(""))
}

mkdirSync(out, { recursive: true })
for (const name of globSync("deedkit-*.tgz", { cwd: out }))
  if (!name.startsWith(`deedkit-${version}-`)) rmSync(join(out, name))
binary()
if (!process.argv.includes("--binary")) {
  pnpm(["run", "build"])
  tarballs()
  extension()
  pnpm([
    "sbom",
    "--sbom-format",
    "cyclonedx",
    "--sbom-type",
    "application",
    "--out",
    join(out, "sbom.cdx.json"),
  ])
  writeFileSync(join(out, "notes.md"), notes(version, changes()))
  checksums()
  say(readFileSync(join(out, "SHA256SUMS"), "utf8").trimEnd())
}
