/**
 * Bundles the programs of the folder that it is started in, for browsers: `node ../bundle.js TOOL`. What each tool makes is in `bundles/TOOL`,
 * one file a program. webpack reads no TypeScript, so it gets what the compiler made.
 */
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"

const here = process.cwd()
const outputOf = (tool) => join(here, "bundles", tool)
const entriesIn = (folder, extension) =>
  Object.fromEntries(
    readdirSync(join(here, folder))
      .filter((name) => name.endsWith(extension))
      .map((name) => [basename(name, extension), join(here, folder, name)]),
  )

const tools = {
  async esbuild() {
    const { build } = await import("esbuild")
    const options = { bundle: true, target: "es2022", logLevel: "warning" }
    const entryPoints = entriesIn("programs", ".mts")
    const outExtension = { ".js": ".mjs" }
    const outdir = outputOf("esbuild")
    await build({ ...options, entryPoints, outdir, outExtension, format: "esm", platform: "browser" })
  },
  async vite() {
    const { build } = await import("vite")
    for (const [name, entry] of Object.entries(entriesIn("programs", ".mts"))) {
      const lib = { entry, formats: ["es"], fileName: () => `${name}.mjs` }
      const outDir = outputOf("vite")
      await build({ logLevel: "warn", build: { lib, outDir, emptyOutDir: false, target: "es2022" } })
    }
  },
  async webpack() {
    const { default: webpack } = await import("webpack")
    const compiler = webpack({
      mode: "production",
      target: ["web", "es2022"],
      optimization: { minimize: false },
      performance: false,
      entry: entriesIn("made-7/programs", ".mjs"),
      experiments: { outputModule: true },
      output: {
        path: outputOf("webpack"),
        filename: "[name].mjs",
        module: true,
        library: { type: "module" },
      },
    })
    const stats = await new Promise((resolve, reject) =>
      compiler.run((error, result) => (error ? reject(error) : resolve(result))),
    )
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString())
  },
}

await tools[process.argv[2]]()
