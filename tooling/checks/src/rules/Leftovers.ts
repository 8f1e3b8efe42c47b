/**
 * Finds leftovers of unfinished work: notes to oneself, tests that do not run, silenced checks. Notes and silenced checks are looked for in comments,
 * the rest in code, so that strings with such words are ignored.
 */
import type { Finding } from "../tree/Finding.ts"
import { codeLines, lineAt } from "../tree/Source.ts"
import type { Tree } from "../tree/Tree.ts"
import type { Module } from "../tree/Workspace.ts"
import { modules } from "../tree/Workspace.ts"

const note = /\b(?:TO-?DO|FIX-?ME|X{3}|HACKS?)\b/g
const silencer = /@ts-(?:ignore|nocheck)|\b(?:eslint|oxlint|biome|knip)-(?:disable|ignore)|@lintignore/g
const escape = /\bas\s+any\b/g
const idleTest = /\.(?:(?:only|skip|todo)\b(?=\s*[.(`])|fails\b(?=\s*(?:\.|\(\s*["'`])))/g

const inComments =
  (pattern: RegExp) =>
  ({ source }: Module): ReadonlyArray<number> =>
    source.comments.flatMap(({ text, start }) =>
      [...text.matchAll(pattern)].map(({ index }) => lineAt(source.text, start + index)),
    )

const kinds: ReadonlyArray<{
  readonly lines: (module: Module) => ReadonlyArray<number>
  readonly message: string
}> = [
  { lines: inComments(note), message: "leaves a note to do something: do it, or open an issue" },
  { lines: inComments(silencer), message: "silences a check: fix what it found" },
  {
    lines: ({ source }) => codeLines(source, escape),
    message: "gives up on a type: narrow it, or read it as unknown",
  },
  {
    lines: ({ area, source }) => (area === "test" ? codeLines(source, idleTest) : []),
    message: "holds a test that does not run, or keeps others from running: make it run or delete it",
  },
]

export const check = (tree: Tree): ReadonlyArray<Finding> =>
  modules(tree).flatMap((module) =>
    kinds.flatMap(({ lines, message }) =>
      lines(module).map((line) => ({ path: module.path, line, message })),
    ),
  )
