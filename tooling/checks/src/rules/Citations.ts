/**
 * Citations of the service's specification, written as the word Spec, a colon, a section, and a rule or row if there is one. A reader must be able to
 * find each of them, so this file lists the sections and the number of rules in each.
 */
import type { Finding } from "../tree/Finding.ts"
import { lineAt } from "../tree/Source.ts"
import type { Tree } from "../tree/Tree.ts"

interface Section {
  readonly rules: number
  readonly rows?: number
}

/** The specification's headings, and the short forms used in citations. */
const sections: { readonly [name: string]: Section } = {
  "What the service does": { rules: 0 },
  Resources: { rules: 0 },
  "Resources and their fields": { rules: 0 },
  "API key": { rules: 0 },
  "API key (metadata record)": { rules: 0 },
  Contract: { rules: 3 },
  "Contract gaps": { rules: 3 },
  "Contract status": { rules: 0 },
  States: { rules: 0 },
  "States and transitions": { rules: 0 },
  Endpoints: { rules: 8, rows: 5 },
  Authentication: { rules: 5 },
  Events: { rules: 0 },
  Errors: { rules: 3 },
  Limits: { rules: 3 },
  Versioning: { rules: 0 },
}

const escaped = (name: string): string => name.replaceAll(/[()]/g, String.raw`\$&`)
const longestFirst = Object.keys(sections)
  .toSorted((a, b) => b.length - a.length)
  .map(escaped)
  .join("|")
const start = new RegExp(`^(?:${longestFirst})(?![\\w])`)
const numbered = new RegExp(
  `(?<![\\w])(?<name>${longestFirst})(?:,? (?<kind>rules?|gaps?|rows?))? (?<numbers>\\d+(?:(?:, | and )\\d+)*)`,
  "gi",
)

/** The problem with a citation, given the text after the colon; null if everything in it can be found. */
export const objection = (citation: string): string | null => {
  if (!start.test(citation))
    return `cites a section that the specification does not have; it has ${Object.keys(sections).join(", ")}`
  for (const { groups } of citation.matchAll(numbered)) {
    const [name, kind, numbers] = [groups!["name"]!, groups!["kind"] ?? "rule", groups!["numbers"]!]
    const section = sections[name]
    const last = (kind.toLowerCase().startsWith("row") ? section?.rows : section?.rules) ?? 0
    const missing = numbers.match(/\d+/g)!.find((number) => Number(number) < 1 || Number(number) > last)
    if (missing !== undefined)
      return `cites ${name}, ${kind.toLowerCase()} ${missing}; the last one there is ${last}`
  }
  return null
}

const citable = /^(?:packages|apps|tooling)\/[^/]+\/(?:(?:src|examples)\/.*\.tsx?|README\.md)$/

export const check = (tree: Tree): ReadonlyArray<Finding> =>
  tree.paths
    .filter((path) => citable.test(path))
    .flatMap((path) => {
      const text = tree.text(path)
      return [...text.matchAll(/\bSpec: (?!\.\.\.)(?<citation>[^\n"`;]*)/g)].flatMap(({ index, groups }) => {
        const message = objection(groups!["citation"]!)
        return message === null ? [] : [{ path, line: lineAt(text, index), message }]
      })
    })
