/**
 * Turns a request into the texts that it asks for: planned, formatted, and checked by the rules that a name can break. Reads the given tree and
 * writes nothing.
 */
import { checkNames, checkWidths, checkWords, Finding, Tree } from "@deedkit/checks"
import { format } from "oxfmt"
import type { FormatOptions } from "oxfmt"
import { command } from "./kinds/Command.ts"
import { endpoint } from "./kinds/Endpoint.ts"
import { fault } from "./kinds/Fault.ts"
import { format as fileFormat } from "./kinds/Format.ts"
import * as Edit from "./plan/Edit.ts"
import * as Name from "./plan/Name.ts"
import type { Changes, Kind, Place, Texts } from "./plan/Plan.ts"
import { Refused } from "./plan/Refused.ts"

export interface Request extends Place {
  readonly kind: string
  readonly name: string
}

/** Kinds by their word in a request. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ["command", command],
  ["endpoint", endpoint],
  ["fault", fault],
  ["format", fileFormat],
])

/** An unused name. A plan for it shows which names exist without the new one. */
const standIn = Name.read("zz-stand-in")

/** Refuses paths that already exist, also on case-insensitive systems, and folders that git ignores. */
const refusePaths = (tree: Tree.Tree, made: Texts): void => {
  const known = new Map(tree.paths.map((path) => [path.toLowerCase(), path]))
  const ignored = new Set(tree.text(".gitignore").split("\n"))
  for (const path of Object.keys(made)) {
    const found = known.get(path.toLowerCase())
    if (found !== undefined) throw new Refused(`${found} exists already.`)
    const folder = path.split("/").find((part) => ignored.has(`${part}/`))
    if (folder !== undefined) throw new Refused(`Git ignores every folder ${folder}, and with it ${path}.`)
  }
}

/** Refuses a name that already means something else in one of the modules that change for the stand-in. */
const refuseClashes = (tree: Tree.Tree, { changed, made }: Changes, name: Name.Name): void => {
  const texts = { ...changed, ...made }
  const trial = Tree.changed(tree, texts)
  for (const path of Object.keys(texts).filter((path) => path.endsWith(".ts"))) {
    const words = new Set(trial.source(path).code.match(/[\w$]+/g))
    for (const word of words) {
      const own = word.replaceAll(standIn.camel, name.camel).replaceAll(standIn.pascal, name.pascal)
      if (own !== word && words.has(own)) {
        const place = path.replaceAll(standIn.kebab, name.kebab).replaceAll(standIn.pascal, name.pascal)
        throw new Refused(
          `The name ${own} is taken: ${place} uses it for something else. Choose another name.`,
        )
      }
    }
  }
}

/** Refuses a name with a word that this project has replaced. */
const refuseWords = ({ kebab, words }: Name.Name): void => {
  const [found] = checkWords(Tree.of({ "name.md": words }))
  if (found === undefined) return
  throw new Refused(`The name ${kebab} ${found.message}. Choose another name.`)
}

/** Refuses new files that break the rules of the tree, also by filling a folder. */
const refuseFindings = (tree: Tree.Tree, made: Texts, { whenFull = "" }: Kind): void => {
  const own = Tree.of(made)
  const found = [...checkNames(own), ...checkWords(own)]
  const full = checkWidths(Tree.changed(tree, made)).filter(({ path }) =>
    own.paths.some((each) => each.startsWith(`${path}/`)),
  )
  if (found.length > 0) throw new Refused(Finding.lines(found).join("\n"))
  if (full.length > 0) throw new Refused([...Finding.lines(full), whenFull].join("\n").trimEnd())
}

const formatted = async (tree: Tree.Tree, texts: Texts): Promise<Texts> => {
  const options = JSON.parse(tree.text(".oxfmtrc.json")) as FormatOptions
  const entries = Object.entries(texts).map(async ([path, text]) => {
    const { code, errors } = await format(path, text.trimStart(), options)
    if (errors.length > 0) throw new Error(`${path} cannot be formatted: ${errors[0]?.message}`)
    return [path, code] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** The new texts by path, and what to do next. Throws `Refused`. */
export const generate = async (request: Request, tree: Tree.Tree): Promise<Changes> => {
  const kind = kinds.get(request.kind)
  if (kind === undefined) {
    const known = [...kinds.keys()].join(", ")
    throw new Refused(`${JSON.stringify(request.kind)} cannot be made. Use one of ${known}.`)
  }
  const name = Name.read(request.name)
  const same = kind.taken(tree, request).find((other) => Name.isSame(other, name.kebab))
  if (same !== undefined) {
    const there = same === name.kebab ? "" : `, as ${same}`
    throw new Refused(`The ${request.kind} ${name.kebab} exists already${there}. Choose another name.`)
  }
  refuseWords(name)
  const changesFor = (own: Name.Name): Changes => {
    const { edits, made, next } = kind.plan(own, tree, request)
    const changed = Object.entries(edits).map(([path, all]) => [path, Edit.apply(tree, path, all)] as const)
    return { made, changed: Object.fromEntries(changed), next }
  }
  refuseClashes(tree, changesFor(standIn), name)
  const { changed, made, next } = changesFor(name)
  refusePaths(tree, made)
  refuseFindings(tree, made, kind)
  return { made: await formatted(tree, made), changed: await formatted(tree, changed), next }
}
