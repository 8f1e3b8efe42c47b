/**
 * Makes the package that is published, in `dist` or the folder that is named: `deedkit.js`, which is small and loads fast, parts beside it that are
 * loaded when they are needed, and the manifest, README and licence.
 *
 * Packages of this workspace are taken from their sources, so that no build of theirs is needed. The binary modules, of the keychain
 * and of file locks, stay dependencies.
 */
import { chmod, copyFile, glob, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { build } from "rolldown"
import { alias, checks, treeshake } from "./bundle.ts"

const folder = import.meta.dirname
const out = process.argv[2] ?? join(folder, "dist")

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly repository: object
  readonly type: string
  readonly publishConfig: { readonly access: string; readonly provenance: boolean }
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: object
  readonly engines: object
}

const manifestOf = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(path, "package.json"), "utf8"))

const {
  dependencies,
  description,
  engines,
  license,
  name,
  publishConfig,
  repository,
  type,
  version,
  ...peers
} = await manifestOf(folder)

/** A source file of this program by its path. A group that holds it holds what it imports as well. */
const source = (path: string): RegExp =>
  new RegExp(`/cli/src/${path}\\.ts$`.replaceAll("/", String.raw`[\\/]`))

for await (const name of glob("*.js", { cwd: out })) await rm(join(out, name))
await build({
  input: { deedkit: join(folder, "src", "bin.ts") },
  platform: "node",
  external: [...Object.keys(dependencies), ...Object.keys(peers.peerDependencies)],
  transform: { define: { DEEDKIT_VERSION: JSON.stringify(version) } },
  treeshake,
  checks,
  resolve: {
    conditionNames: ["@deedkit/source", "node", "import", "default"],
    alias,
  },
  logLevel: "warn",
  output: {
    dir: out,
    format: "esm",
    minify: true,
    // Node reads and compiles such a file faster: a tenth of the time that the program takes to start.
    charset: "ascii",
    chunkFileNames: "part-[name].js",
    codeSplitting: {
      groups: [
        { name: "version", test: source("command/Version"), priority: 1 },
        { name: "program", test: source("Main") },
        { name: "session", test: source("session/Session") },
      ],
    },
  },
})
await chmod(join(out, "deedkit.js"), 0o755)

/** The versions that are installed here, which the tests have run with. */
const installed = Object.keys(dependencies).map(
  async (name) => [name, (await manifestOf(join(folder, "node_modules", name))).version] as const,
)
/** A peer of the version that is installed here, or a later one that is as compatible. */
const accepted = async (name: string): Promise<readonly [string, string]> =>
  [name, `^${(await manifestOf(join(folder, "node_modules", name))).version}`] as const
const published = {
  name,
  version,
  description,
  license,
  repository,
  bin: { deedkit: "deedkit.js" },
  files: ["/*.js"],
  type,
  publishConfig: { access: publishConfig.access, provenance: publishConfig.provenance },
  dependencies: Object.fromEntries(await Promise.all(installed)),
  peerDependencies: Object.fromEntries(await Promise.all(Object.keys(peers.peerDependencies).map(accepted))),
  peerDependenciesMeta: peers.peerDependenciesMeta,
  engines,
}
await writeFile(join(out, "package.json"), `${JSON.stringify(published, null, 2)}\n`)
await copyFile(join(folder, "README.md"), join(out, "README.md"))
await copyFile(join(folder, "..", "..", "LICENSE"), join(out, "LICENSE"))
