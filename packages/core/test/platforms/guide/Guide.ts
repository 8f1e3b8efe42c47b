/**
 * The programs in core's documents: every block of TypeScript in the README and in `docs/` is a whole program. What it prints is promised in
 * lines that begin with `// => `; a program without such lines only has to print something, or to end well.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The folder of the package. */
export const root = join(import.meta.dirname, "..", "..", "..")

export interface Program {
  /** `docs/errors.md:12`, the line on which it begins. */
  readonly place: string
  /** A name for its file: `errors-12`. */
  readonly name: string
  readonly text: string
  /** The lines that it promises to print; null where it promises none. */
  readonly promised: string | null
}

const promisedIn = (text: string): string | null => {
  const lines = [...text.matchAll(/^\s*\/\/ => ?(?<line>.*)$/gm)].map(({ groups }) => groups?.["line"])
  return lines.length === 0 ? null : `${lines.join("\n")}\n`
}

/** The programs of one document. */
export const programs = (path: string, document: string): ReadonlyArray<Program> =>
  [...document.matchAll(/^```(?:ts|typescript)\b.*\n(?<text>[^]*?)^```$/gm)].map(({ groups, index }) => {
    const text = groups?.["text"] ?? ""
    const line = document.slice(0, index).split("\n").length
    const name = path.replace(/^.*\//, "").replace(/\.md$/, "")
    return { place: `${path}:${line}`, name: `${name}-${line}`, text, promised: promisedIn(text) }
  })

const read = (path: string): ReadonlyArray<Program> => programs(path, readFileSync(join(root, path), "utf8"))

export const readme = read("README.md")

export const documents = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"))

export const all = [...readme, ...documents.flatMap((name) => read(`docs/${name}`))]
