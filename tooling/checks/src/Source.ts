/**
 * A TypeScript file, parsed once: its code without comments and texts, the modules that it imports, and its generator functions. A comment about a rule, or a
 * test with a made-up file in a string, does not break the rule. A file with errors is read as far as possible; the compiler reports the errors.
 */
import { parseSync, Visitor } from "oxc-parser"
import type { Node, ParserOptions, Span } from "oxc-parser"

export interface Source {
  /** As long as the text, with comments, regular expressions and the content of texts replaced by spaces. Line breaks and quotes are kept. */
  readonly code: string
  /** Static and dynamic imports, types and re-exports; not specifiers that are computed at run time. */
  readonly imports: ReadonlyArray<{ readonly specifier: string; readonly line: number }>
  /** Generator functions, with the names and types of the parameters of the functions and loops around each. */
  readonly generators: ReadonlyArray<{ readonly line: number; readonly around: ReadonlyArray<string> }>
}

/** The line of a position, counted from 1. */
const lineAt = (text: string, position: number): number => text.slice(0, position).split("\n").length

/** The lines on which a pattern occurs in the code; the pattern needs the flag `g`. */
export const codeLines = ({ code }: Source, pattern: RegExp): ReadonlyArray<number> =>
  [...code.matchAll(pattern)].map(({ index }) => lineAt(code, index))

/** The text of a literal or of a template without values; null for anything else. */
const textOf = (node: Node): string | null => {
  if (node.type === "Literal" && typeof node.value === "string") return node.value
  if (node.type !== "TemplateLiteral" || node.expressions.length > 0) return null
  return node.quasis[0]?.value.cooked ?? null
}

/** The names that a parameter or variable declares, and the name of its type. */
const namesIn = (node: Node): ReadonlyArray<string> => {
  switch (node.type) {
    case "Identifier": {
      const type = node.typeAnnotation?.typeAnnotation
      if (type?.type !== "TSTypeReference") return [node.name]
      const { typeName } = type
      // A type of another module says what the parameter is, whatever the parameter's name: `records: Records.Records`.
      if (typeName.type === "TSQualifiedName") return [typeName.right.name]
      return typeName.type === "Identifier" ? [node.name, typeName.name] : [node.name]
    }
    case "ObjectPattern":
      return node.properties.flatMap((property) =>
        namesIn(property.type === "Property" ? property.value : property.argument),
      )
    case "ArrayPattern":
      return node.elements.flatMap((element) => (element === null ? [] : namesIn(element)))
    case "AssignmentPattern":
      return namesIn(node.left)
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id }) => namesIn(id))
    default:
      return []
  }
}

export const read = (path: string, text: string): Source => {
  const options: ParserOptions = path.endsWith("x") ? { lang: "tsx" } : { lang: "ts" }
  const { comments, module, program } = parseSync(path, text, options)
  const imports: Array<Source["imports"][number]> = []
  const generators: Array<Source["generators"][number]> = []
  const around: Array<ReadonlyArray<string>> = []
  const enter = ({
    generator = false,
    params,
    start,
  }: Span & { readonly generator?: boolean; readonly params: ReadonlyArray<Node> }): void => {
    if (generator) generators.push({ line: lineAt(text, start), around: around.flat() })
    around.push(params.flatMap(namesIn))
  }
  const leave = (): void => void around.pop()
  const blanks: Array<readonly [start: number, end: number]> = comments.map(({ end, start }) => [start, end])
  const add = (specifier: string | null, start: number): void => {
    if (specifier !== null) imports.push({ specifier, line: lineAt(text, start) })
  }

  for (const { moduleRequest } of module.staticImports) add(moduleRequest.value, moduleRequest.start)
  for (const { entries } of module.staticExports) {
    const request = entries.find(({ moduleRequest }) => moduleRequest !== null)?.moduleRequest
    if (request != null) add(request.value, request.start)
  }
  new Visitor({
    TSImportType: ({ source }) => add(source.value, source.start),
    ImportExpression: ({ source }) => add(textOf(source), source.start),
    Literal: (node) => {
      if (typeof node.value === "string") blanks.push([node.start + 1, node.end - 1])
      else if ("regex" in node) blanks.push([node.start, node.end])
    },
    // Its span includes the quote, or the braces of the value beside it.
    TemplateElement: ({ end, start, tail }) => void blanks.push([start + 1, end - (tail ? 1 : 2)]),
    JSXText: ({ end, start }) => void blanks.push([start, end]),
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    ArrowFunctionExpression: ({ params, start, end }) => enter({ params, start, end }),
    "ArrowFunctionExpression:exit": leave,
    ForOfStatement: ({ left }) => void around.push(namesIn(left)),
    "ForOfStatement:exit": leave,
  }).visit(program)

  let code = ""
  for (const [start, end] of blanks.toSorted(([a], [b]) => a - b)) {
    if (start < code.length) continue
    code += text.slice(code.length, start) + text.slice(start, end).replaceAll(/[^\n]/g, " ")
  }
  code += text.slice(code.length)
  return { code, imports: imports.toSorted((a, b) => a.line - b.line), generators }
}
