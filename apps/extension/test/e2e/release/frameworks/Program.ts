/**
 * A page of homes as a program of a framework: cards of three listings, a button that counts, and one that shows three other listings. It is rendered
 * by the framework's own server, and made live in the page by the same code.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "rolldown"
import type { Plugin } from "rolldown"
import { compile } from "svelte/compiler"

const require = createRequire(import.meta.url)

/** What every program exports. Listings are named by the number of the first. */
interface Rendering {
  /** What the server sends. */
  readonly render: (first: number) => Promise<string>
}

export interface Program extends Rendering {
  /** Whether it renders the whole document, instead of what is in a root. */
  readonly isDocument: boolean
  /** The program as the page loads it: a module that exports `hydrate(root, first, tell)`. */
  readonly script: string
}

/** React 18 is installed under other names, and the program imports React by its own. */
const olderReact = {
  react: dirname(require.resolve("react-18/package.json")),
  "react-dom": dirname(require.resolve("react-dom-18/package.json")),
}

const programs = {
  "React 18": { file: "React.ts", alias: olderReact },
  "React 19": { file: "React.ts", alias: {} },
  "Vue 3": { file: "Vue.ts", alias: {} },
  "Svelte 5": { file: "Svelte.ts", alias: {} },
  "React 18, the whole document": { file: "ReactDocument.ts", alias: olderReact },
  "React 19, the whole document": { file: "ReactDocument.ts", alias: {} },
}

type Name = keyof typeof programs
export const names = Object.keys(programs) as ReadonlyArray<Name>

type Side = "client" | "server"

/** What only the other side loads. */
const left = { client: /^(?:react-dom|svelte|vue)\/server/, server: /^react-dom\/client$/ }

const svelte = (generate: Side): Plugin => ({
  name: "svelte",
  transform: {
    filter: { id: /\.svelte$/ },
    handler: (source, filename) => {
      const { js } = compile(source, { generate, filename, dev: true })
      return { code: js.code, moduleType: "js" }
    },
  },
})

/** A program for one side, in one file, with its framework as developers run it: a build for users says nothing of what does not fit. */
const bundle = async (name: Name, side: Side): Promise<string> => {
  const { alias, file } = programs[name]
  const { output } = await build({
    input: join(import.meta.dirname, file),
    platform: side === "client" ? "browser" : "node",
    logLevel: "warn",
    external: left[side],
    plugins: [svelte(side)],
    resolve: { alias, conditionNames: [side === "client" ? "browser" : "node", "development"] },
    transform: {
      define: {
        "process.env.NODE_ENV": '"development"',
        __VUE_OPTIONS_API__: "false",
        __VUE_PROD_DEVTOOLS__: "false",
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "true",
      },
    },
    write: false,
    output: { format: "esm", codeSplitting: false },
  })
  return output[0].code
}

/** A program on both its sides. */
export const load = async (name: Name): Promise<Program> => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-program-"))
  try {
    const file = join(folder, "server.mjs")
    await writeFile(file, await bundle(name, "server"))
    const { render } = (await import(pathToFileURL(file).href)) as Rendering
    const isDocument = programs[name].file === "ReactDocument.ts"
    return { isDocument, render, script: await bundle(name, "client") }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
