/** Pages that programs write: the commands by the command line itself, errors by its catalogue, the API by the declarations of the packages. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSync, Visitor } from "oxc-parser"
import type { Node } from "oxc-parser"
import { libraries } from "./Contents.ts"

/** The reference of every command. Its own title and the flag that only the site does not need are left out. */
const commands = (root: string): string => {
  const program = join(root, "apps/cli/src/bin.ts")
  const arguments_ = ["--conditions=@deedkit/source", program, "--reference"]
  const text = execFileSync(process.execPath, arguments_, { encoding: "utf8" })
  return text.replace(/^# .*\n/, "").trim()
}

interface Entry {
  readonly reason: string
  readonly headline: Array<string>
  readonly advice: Array<string>
}

/** The entries of a catalogue: by the name of their reason what makes `headline` and `advice`. */
export const entries = (text: string): ReadonlyArray<Entry> => {
  const { program } = parseSync("Catalogue.ts", text)
  const constants = new Map<string, ReadonlyArray<string>>()

  /** The texts that an expression can be. A value that is filled in is the first text that it can be, or else `…`. */
  const textsOf = (node: Node): ReadonlyArray<string> => {
    switch (node.type) {
      case "Literal":
        return typeof node.value === "string" ? [node.value] : []
      case "Identifier":
        return constants.get(node.name) ?? []
      case "TemplateLiteral": {
        const values = node.expressions.map((expression) => textsOf(expression)[0] ?? "…")
        return [node.quasis.map(({ value }, at) => (value.cooked ?? "") + (values[at] ?? "")).join("")]
      }
      case "ConditionalExpression":
        return [...textsOf(node.consequent), ...textsOf(node.alternate)]
      case "LogicalExpression":
        return textsOf(node.right)
      default:
        return []
    }
  }

  const found: Array<Entry> = []
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier" && init !== null && init.type !== "Identifier")
        constants.set(id.name, textsOf(init))
    },
    Property: ({ key, value }) => {
      if (key.type !== "Identifier") return
      const { name } = key
      if (/^[A-Z]/.test(name)) found.push({ reason: name, headline: [], advice: [] })
      else if (name === "headline" || name === "advice") found.at(-1)?.[name].push(...textsOf(value))
    },
  }).visit(program)
  return found.filter(({ headline }) => headline.length > 0)
}

const cell = (texts: ReadonlyArray<string>): string =>
  [...new Set(texts)]
    .join("<br>")
    .replaceAll("|", String.raw`\|`)
    .replaceAll(/<(?!br>)/g, "&lt;")

const errors = (root: string): string => {
  const rows = entries(readFileSync(join(root, "apps/cli/src/failure/Catalogue.ts"), "utf8"))
  if (rows.length === 0) throw new Error("The catalogue of the command line has no entry that can be read.")
  return [
    "Every error of the command line, by its reason. `…` stands for what the message names: a status, a file, a record.",
    "",
    "| reason | what happened | what to do |",
    "| --- | --- | --- |",
    ...rows.map(({ advice, headline, reason }) => `| \`${reason}\` | ${cell(headline)} | ${cell(advice)} |`),
  ].join("\n")
}

interface Declared {
  readonly name: string
  /** The declaration with its comment; of a namespace, those of all that it holds. */
  readonly text: string
}

/** What a declaration file exports, in its order, wherever it is declared. */
const declared = (file: string): ReadonlyArray<Declared> => {
  const text = readFileSync(file, "utf8")
  const { comments, program } = parseSync(file, text)
  const there = (source: string) => declared(join(dirname(file), source.replace(/\.ts$/, ".d.ts")))
  const withComment = ({ end, start }: Node): string => {
    const above = comments.findLast((comment) => comment.end <= start)
    const isIts = above?.value.startsWith("*") === true && text.slice(above.end, start).trim() === ""
    return text.slice(isIts ? above.start : start, end).replace(/^export declare /m, "export ")
  }
  return program.body.flatMap((node): ReadonlyArray<Declared> => {
    if (node.type === "ExportAllDeclaration") {
      const all = node.source.value.startsWith(".") ? there(node.source.value) : []
      const name = node.exported?.type === "Identifier" ? node.exported.name : null
      return name === null || all.length === 0
        ? all
        : [{ name, text: all.map((one) => one.text).join("\n\n") }]
    }
    if (node.type !== "ExportNamedDeclaration") return []
    const { declaration, source, specifiers } = node
    if (source !== null) {
      const all = source.value.startsWith(".") ? there(source.value) : []
      return specifiers.flatMap(({ exported, local }) =>
        exported.type === "Identifier" && local.type === "Identifier"
          ? all.filter(({ name }) => name === local.name).map(({ text }) => ({ name: exported.name, text }))
          : [],
      )
    }
    const id =
      declaration?.type === "VariableDeclaration"
        ? declaration.declarations[0]?.id
        : declaration !== null && "id" in declaration
          ? declaration.id
          : null
    return id?.type === "Identifier" ? [{ name: id.name, text: withComment(node) }] : []
  })
}

interface Manifest {
  readonly name: string
  readonly exports: { readonly [entry: string]: string | { readonly types: string } }
}

/** Every entry of a package. What an entry above has is only named. */
const api = (folder: string): string => {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest
  const known = new Set<string>()
  const parts: Array<string> = []
  for (const [entry, target] of Object.entries(manifest.exports)) {
    if (typeof target === "string") continue
    const all = declared(join(folder, target.types))
    const again = all.filter(({ text }) => known.has(text)).map(({ name }) => `\`${name}\``)
    parts.push(`## ${manifest.name}${entry.slice(1)}`)
    if (again.length > 0) parts.push(`As above: ${again.join(", ")}.`)
    for (const { name, text } of all) {
      if (!known.has(text)) parts.push(`### ${name}\n\n\`\`\`ts\n${text}\n\`\`\``)
      known.add(text)
    }
  }
  return parts.join("\n\n")
}

/** A file of a change: the packages that it concerns, and its text. */
export const changes = (texts: ReadonlyArray<string>): string =>
  texts
    .flatMap((text) => {
      const [, packages = "", body = ""] = /^---\n([^]*?)^---\n([^]*)$/m.exec(text) ?? []
      const names = Array.from(packages.matchAll(/^"(.+)":/gm), ([, name = ""]) => name)
      return names.length === 0 ? [] : [`## ${names.join(", ")}\n\n${body.trim()}`]
    })
    .join("\n\n")

/** What is new since the last release, from the files of which the next one is made. */
const changesIn = (folder: string): string =>
  [
    "What the next release will hold. Nothing is released yet.",
    changes(
      readdirSync(folder)
        .filter((name) => name.endsWith(".md"))
        .map((name) => readFileSync(join(folder, name), "utf8")),
    ),
  ].join("\n\n")

/** What is generated, by the names of the pages. The declarations are those in `dist`, so the packages are built before. */
export const generate = (root: string): ReadonlyMap<string, string> =>
  new Map([
    ["commands", commands(root)],
    ["errors", errors(root)],
    ["changes", changesIn(join(root, ".changeset"))],
    ...libraries.map((name) => [`api-${name}`, api(join(root, "packages", name))] as const),
  ])
