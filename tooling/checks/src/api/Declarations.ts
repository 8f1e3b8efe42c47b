/**
 * Reads the exports of a package from its built declarations: the exports of each entry, each with its docstring and its text, wherever it is
 * declared. Only files of the package are followed; a type of another package stays a name. Declarations marked `@internal` are left out: they are
 * for other modules of the package and can change at any time.
 */
import { parseSync } from "oxc-parser"
import type { Comment, Program, Span, Statement } from "oxc-parser"
import { isRelative, resolve } from "../tree/Imports.ts"
import type { Tree } from "../tree/Tree.ts"

/** A name with one declaration or several, as with a type and a value of the same name. */
export interface Declared {
  readonly _tag: "Declared"
  /** Where it is declared, the same for every entry that exports it: `packages/core/dist/model/Me.d.ts#Me`. */
  readonly origin: string
  /** The docstring without comment marks; empty if there is none. */
  readonly docs: string
  /** Its declarations, without `export`, `declare` and comments. */
  readonly texts: ReadonlyArray<string>
}

/** `export * as Name`: the exports of a module under one name. */
export interface Namespace {
  readonly _tag: "Namespace"
  readonly origin: string
  readonly docs: string
  readonly members: Exports
}

export type Exports = ReadonlyMap<string, Declared | Namespace>

interface Module {
  readonly path: string
  readonly text: string
  readonly program: Program
  readonly comments: ReadonlyArray<Comment>
}

const parse = (tree: Tree, path: string): Module => {
  const text = tree.text(path)
  const { comments, program } = parseSync(path, text, { lang: "dts" })
  return { path, text, program, comments }
}

/** The docstring directly before a statement. The first comment of a file describes the file and does not count. */
const docsOf = ({ comments, text }: Module, { start }: Span): string => {
  const comment = comments.findLast((one) => one.end <= start)
  if (comment === undefined || comment.start === 0 || !comment.value.startsWith("*")) return ""
  if (text.slice(comment.end, start).trim() !== "") return ""
  return comment.value
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trim())
    .join(" ")
    .trim()
}

/** The declaration in a statement, exported or not. */
const declarationOf = (statement: Statement): Statement | null =>
  statement.type === "ExportNamedDeclaration" ? statement.declaration : statement

const isInternal = (docs: string): boolean => /@internal\b/.test(docs)

/** The end of the interface member that begins at a position; the position itself if none does. */
const memberEnd = (statement: Statement, place: number): number => {
  const declaration = declarationOf(statement)
  const members = declaration?.type === "TSInterfaceDeclaration" ? declaration.body.body : []
  return members.find(({ end, start }) => start >= place && end > place)?.end ?? place
}

/** The text of a declaration without comments and internal members, and with two spaces of indentation per level. */
const textOf = ({ comments, text }: Module, statement: Statement): string => {
  const { end, start } = statement
  let code = ""
  let at = start
  for (const comment of comments) {
    if (comment.start < at || comment.end > end) continue
    code += text.slice(at, comment.start)
    at = isInternal(comment.value) ? memberEnd(statement, comment.end) : comment.end
  }
  return (code + text.slice(at, end))
    .replace(/^(?:export )?(?:declare )?/, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.replaceAll(/ {4}/g, "  ").trimEnd())
    .join("\n")
}

/** The names that a statement declares. */
const namesOf = (statement: Statement): ReadonlyArray<string> => {
  switch (statement.type) {
    case "VariableDeclaration":
      return statement.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []))
    case "ClassDeclaration":
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "TSEnumDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return statement.id === null || statement.id === undefined ? [] : [statement.id.name]
    default:
      return []
  }
}

/** The statements that declare a name. */
const declaring = ({ program }: Module, name: string): ReadonlyArray<Statement> =>
  program.body.filter((statement) => {
    const declaration = declarationOf(statement)
    return declaration !== null && namesOf(declaration).includes(name)
  })

const local = (module: Module, name: string): Declared | null => {
  const found = declaring(module, name)
  if (found.length === 0) return null
  return {
    _tag: "Declared",
    origin: `${module.path}#${name}`,
    docs: found.map((statement) => docsOf(module, statement)).find((docs) => docs !== "") ?? "",
    texts: found.map((statement) => textOf(module, statement)),
  }
}

/** The file of declarations that a specifier names. Specifiers name sources, as in `./X.ts`. */
const fileOf = (path: string, specifier: string): string =>
  resolve(path, specifier).replace(/(?:\.d)?\.[jt]s$/, ".d.ts")

const nameOf = (node: { readonly type: string; readonly name?: string; readonly value?: unknown }): string =>
  node.name ?? String(node.value)

/** Resolves a name of a module, declared there or imported from another file. */
const named = (tree: Tree, module: Module, name: string): Declared | Namespace | null => {
  const declared = local(module, name)
  if (declared !== null) return declared
  for (const statement of module.program.body) {
    if (statement.type !== "ImportDeclaration" || !isRelative(statement.source.value)) continue
    const from = fileOf(module.path, statement.source.value)
    for (const specifier of statement.specifiers) {
      if (specifier.local.name !== name) continue
      if (specifier.type === "ImportSpecifier")
        return read(tree, from).get(nameOf(specifier.imported)) ?? null
      return { _tag: "Namespace", origin: from, docs: "", members: read(tree, from) }
    }
  }
  return null
}

/** Whether an export is a type, so that `export type *` exports it. */
const isType = (what: Declared | Namespace): boolean =>
  what._tag === "Namespace" ||
  what.texts.some((text) => /^(?:abstract |class|enum|interface|type)\b/.test(text))

/** The exports of a declaration file, in order. Throws if one cannot be resolved. */
export const read = (tree: Tree, path: string): Exports => {
  const module = parse(tree, path)
  const found = new Map<string, Declared | Namespace>()
  const add = (name: string, what: Declared | Namespace | null): void => {
    if (what === null) throw new Error(`${path} exports ${name}, which is declared nowhere`)
    if (!isInternal(what.docs)) found.set(name, what)
  }
  for (const statement of module.program.body) {
    if (statement.type === "ExportDefaultDeclaration") throw new Error(`${path} exports a default: name it`)
    if (statement.type === "ExportAllDeclaration") {
      const members = read(tree, fileOf(path, statement.source.value))
      if (statement.exported === null) {
        for (const [name, what] of members)
          if (statement.exportKind === "value" || isType(what)) add(name, what)
      } else {
        const origin = fileOf(path, statement.source.value)
        add(nameOf(statement.exported), {
          _tag: "Namespace",
          origin,
          docs: docsOf(module, statement),
          members,
        })
      }
    } else if (statement.type === "ExportNamedDeclaration") {
      const { declaration, source, specifiers } = statement
      for (const name of declaration === null ? [] : namesOf(declaration)) add(name, local(module, name))
      for (const specifier of specifiers) {
        const name = nameOf(specifier.local)
        const what =
          source === null
            ? named(tree, module, name)
            : (read(tree, fileOf(path, source.value)).get(name) ?? null)
        add(nameOf(specifier.exported), what)
      }
    }
  }
  return found
}
