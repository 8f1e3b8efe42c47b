/**
 * Bundles the program for plain Node into `dist`, or the folder that is named: `deedkit.js`, which is small and loads fast, and parts
 * beside it that are loaded when they are needed.
 *
 * Packages of this workspace are taken from their sources, so that no build of theirs is needed. The binary modules, of the keychain
 * and of file locks, stay dependencies.
 */
import { chmod, glob, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { standIns } from "@deedkit/export-xlsx/stand-ins"
import { build } from "rolldown"

const folder = import.meta.dirname
const out = process.argv[2] ?? join(folder, "dist")

const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { version: string }

/** A source file of this program by its path. A group that holds it holds what it imports as well. */
const source = (path: string): RegExp =>
  new RegExp(`/cli/src/${path}\\.ts$`.replaceAll("/", String.raw`[\\/]`))

for await (const name of glob("*.js", { cwd: out })) await rm(join(out, name))
await build({
  input: { deedkit: join(folder, "src", "bin.ts") },
  platform: "node",
  external: ["@napi-rs/keyring", "fs-native-extensions"],
  plugins: [standIns()],
  transform: { define: { DEEDKIT_VERSION: JSON.stringify(version) } },
  resolve: { conditionNames: ["@deedkit/source", "node", "import", "default"] },
  logLevel: "warn",
  output: {
    dir: out,
    format: "esm",
    minify: true,
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
