/**
 * The list of the project's promises to its users, and the tests that try to break each promise: `claims.md` in this package's folder.
 *
 * A promise is quoted from the file that makes it, so that the list changes with it. A test is named by its file and its title, so that it cannot
 * disappear unnoticed. No program can check that every promise is listed.
 */
import type { Finding, Tree } from "../Tree.ts"

export const path = "tooling/checks/claims.md"

interface Named {
  readonly line: number
  readonly text: string
}

/** A promise, the file that makes it, and the tests that try to break it. */
export interface Claim extends Named {
  readonly madeIn: string
  readonly tests: ReadonlyArray<Named & { readonly path: string; readonly title: string }>
}

const heading = /^## `(?<path>[^`]+)`$/
const promise = /^- (?<text>.+)$/
const test = /^ {2}- `(?<path>[^`]+)`: (?<title>.+)$/

/** Reads the list. Lines in none of its three forms are text for readers and are ignored. */
export const read = (text: string): ReadonlyArray<Claim> => {
  const claims: Array<Claim & { readonly tests: Array<Claim["tests"][number]> }> = []
  let madeIn = ""
  for (const [at, content] of text.split("\n").entries()) {
    const line = at + 1
    const tested = test.exec(content)?.groups
    madeIn = heading.exec(content)?.groups?.["path"] ?? madeIn
    if (tested !== undefined) {
      claims.at(-1)?.tests.push({ line, text: content, path: tested["path"]!, title: tested["title"]! })
    } else {
      const promised = promise.exec(content)?.groups?.["text"]
      if (promised !== undefined) claims.push({ line, text: promised, madeIn, tests: [] })
    }
  }
  return claims
}

/** The words of a text, independent of line breaks and markup. */
const words = (text: string): string =>
  text
    .replaceAll(/[\s*_`|]+|\/\/\/?|"\s*\+\s*"/g, " ")
    .replaceAll(/ +/g, " ")
    .trim()

const isTitleIn = (source: string, title: string): boolean =>
  ['"', "'", "`"].some((quote) => source.includes(`${quote}${title}${quote}`))

export const check = (tree: Tree): ReadonlyArray<Finding> => {
  const known = new Set(tree.paths)
  if (!known.has(path)) return [{ path, line: null, message: "is missing: promises need a list" }]
  const claims = read(tree.text(path))
  const findings: Array<Finding> = []
  const find = ({ line }: Named, message: string): void => void findings.push({ path, line, message })
  for (const claim of claims) {
    const { madeIn, tests, text } = claim
    if (!known.has(madeIn)) find(claim, `quotes ${madeIn}, which is gone`)
    else if (!words(tree.text(madeIn)).includes(words(text))) {
      find(claim, `quotes words that ${madeIn} does not hold; quote it as it stands there now`)
    }
    if (tests.length === 0) find(claim, "names no test that tries to break it")
    for (const named of tests) {
      if (!known.has(named.path)) find(named, `names ${named.path}, which is gone`)
      else if (!isTitleIn(tree.text(named.path), named.title)) {
        find(named, `names a test that ${named.path} does not have: ${named.title}`)
      }
    }
  }
  return findings
}
