/**
 * Makes the program as a single file, with Node inside, for the system that this runs on: `dist/binary/deedkit`, or in the folder that is named.
 *
 * Node starts one CommonJS script from such a file. Binary modules are inside as well; see `NativeModule.ts`.
 */
import { execFileSync } from "node:child_process"
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inject } from "postject"
import { build } from "rolldown"
import { alias, checks, treeshake } from "../bundle.ts"

const { arch, platform } = process
const app = join(import.meta.dirname, "..")
const out = process.argv[2] ?? join(app, "dist", "binary")
const { version }: { readonly version: string } = JSON.parse(readFileSync(join(app, "package.json"), "utf8"))

/** The files of the binary modules for this system. */
const keyring = createRequire(createRequire(import.meta.url).resolve("@napi-rs/keyring"))
const abi = { linux: "-gnu", win32: "-msvc" }[platform as string] ?? ""
const assets = {
  keychain: keyring.resolve(`@napi-rs/keyring-${platform}-${arch}${abi}`),
  locks: join(
    app,
    `node_modules/fs-native-extensions/prebuilds/${platform}-${arch}/fs-native-extensions.node`,
  ),
}

/** What loads a binary module in the installed program, and what does here. */
const instead = {
  name: "native-modules",
  resolveId: (source: string, importer: string | undefined): string | null => {
    if (source === "@napi-rs/keyring") return join(import.meta.dirname, "keychain.ts")
    if (source === "./binding" && importer?.includes("fs-native-extensions") === true)
      return join(import.meta.dirname, "locks.ts")
    return null
  },
}

const work = mkdtempSync(join(tmpdir(), "deedkit-binary-"))
try {
  const main = join(work, "deedkit.cjs")
  await build({
    input: join(app, "src", "bin.ts"),
    platform: "node",
    plugins: [instead],
    // Effect looks for settings there that bundlers of pages leave.
    transform: { define: { DEEDKIT_VERSION: JSON.stringify(version), "import.meta": "{}" } },
    treeshake,
    checks,
    resolve: { conditionNames: ["@deedkit/source", "node"], alias },
    logLevel: "warn",
    output: { file: main, format: "cjs", minify: true, codeSplitting: false },
  })
  const output = join(work, "deedkit.blob")
  const config = join(work, "sea.json")
  writeFileSync(
    config,
    JSON.stringify({ main, output, assets, useCodeCache: true, disableExperimentalSEAWarning: true }),
  )
  execFileSync(process.execPath, ["--experimental-sea-config", config], {
    stdio: ["ignore", "ignore", "inherit"],
  })

  mkdirSync(out, { recursive: true })
  const program = join(out, platform === "win32" ? "deedkit.exe" : "deedkit")
  rmSync(program, { force: true })
  copyFileSync(process.execPath, program)
  chmodSync(program, 0o755)
  // A signature covers the file as it was; macOS starts no program without one.
  if (platform === "darwin") execFileSync("codesign", ["--remove-signature", program])
  await inject(program, "NODE_SEA_BLOB", readFileSync(output), {
    sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
    ...(platform === "darwin" ? { machoSegmentName: "NODE_SEA" } : {}),
  })
  if (platform === "darwin") execFileSync("codesign", ["--sign", "-", program])
} finally {
  rmSync(work, { recursive: true, force: true })
}
