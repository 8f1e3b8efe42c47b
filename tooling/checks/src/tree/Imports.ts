/**
 * The modules that a file asks for: static, dynamic, types only, re-exports, `require` and `import.meta.resolve`.
 * Knows what a specifier looks like and which package it names; not whether that package exists.
 */
import { posix } from "node:path"
import type { SourceText } from "./SourceText.ts"
import { lineAt } from "./SourceText.ts"

export interface Import {
  readonly specifier: string
  readonly line: number
}

/** Each ends at the quote that opens the specifier. A specifier that is put together at run time names nothing yet. */
const openings = [
  /(?<!\.)\bimport(?!\s*[.(])[\w$\s{},*]*(?=["'])/g,
  /\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})\s*from\s*(?=["'])/g,
  /\b(?:import|require|require\.resolve|import\.meta\.resolve)\s*\(\s*(?=["'`])/g,
]

export const of = (source: SourceText): ReadonlyArray<Import> =>
  openings
    .flatMap((opening) =>
      [...source.code.matchAll(opening)].map((match) => {
        const quote = match.index + match[0].length
        const end = source.code.indexOf(source.code[quote]!, quote + 1)
        return { specifier: source.text.slice(quote + 1, end), line: lineAt(source.text, quote) }
      }),
    )
    .filter(({ specifier }) => !specifier.includes("${"))
    .toSorted((a, b) => a.line - b.line)

export const isRelative = (specifier: string): boolean => /^\.\.?(?:\/|$)/.test(specifier)

/** The package that a specifier names: `@deedkit/core` of `@deedkit/core/node`. Null for relative ones, Node's own and a package's own (`#`). */
export const packageOf = (specifier: string): string | null =>
  isRelative(specifier) || specifier.startsWith("node:") || specifier.startsWith("#")
    ? null
    : specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/")

/** The path that a relative specifier in this file leads to. */
export const resolve = (path: string, specifier: string): string => posix.join(posix.dirname(path), specifier)
