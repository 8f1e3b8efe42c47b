/**
 * A TypeScript file with its words told apart: what is code, what is a comment, what is the inside of a string.
 * Rules look for words in the right one of the three, so that a comment about a rule, or a test with a made-up file in a string,
 * does not break it. Every position stays where it was. Knows tokens only, no grammar; JSX text counts as code.
 */

interface Comment {
  readonly text: string
  readonly start: number
}

export interface SourceText {
  readonly text: string
  /** As long as `text`, with comments, regular expressions and the insides of strings as blanks. Line breaks and quotes stay. */
  readonly code: string
  readonly comments: ReadonlyArray<Comment>
}

const token =
  /(?<comment>\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<string>"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*')|(?<space>\s+)|(?<word>[\w$]+)|[^]/y
const regularExpression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const templatePart = /(?:\\[^]|\$(?!\{)|[^\\`$])*/y

/** After these words a value begins, so a slash begins a regular expression and divides nothing. */
const beforeValue = new Set(
  "await case delete do else in instanceof new of return throw typeof void yield".split(" "),
)
const beginsValue = (before: string): boolean =>
  /^[\w$]+$/.test(before) ? beforeValue.has(before) : !/^[)\]}"'`]$/.test(before)

const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ")
const blankInside = (text: string): string => text[0] + blank(text.slice(1, -1)) + text.at(-1)

export const read = (text: string): SourceText => {
  const comments: Array<Comment> = []
  const braces: Array<"block" | "template"> = []
  let code = ""
  let before = ""

  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = code.length
    return pattern.exec(text)
  }
  /** From the start of a template's text to its end, or to the next value within it. */
  const takeTemplatePart = (): void => {
    code += blank(take(templatePart)?.[0] ?? "")
    const value = text.startsWith("${", code.length)
    if (value) braces.push("template")
    before = value ? "{" : "`"
    code += text.slice(code.length, code.length + (value ? 2 : 1))
  }

  while (code.length < text.length) {
    const found = take(token)!
    const word = found[0]
    const literal = word === "/" && beginsValue(before) ? take(regularExpression) : null
    if (found.groups?.["comment"] !== undefined) {
      comments.push({ text: word, start: code.length })
      code += blank(word)
      continue
    }
    if (found.groups?.["space"] !== undefined) {
      code += word
      continue
    }
    if (literal !== null) {
      code += blank(literal[0])
      before = ")"
      continue
    }
    before = found.groups?.["string"] === undefined ? word : '"'
    code += found.groups?.["string"] === undefined ? word : blankInside(word)
    if (word === "`") takeTemplatePart()
    if (word === "{") braces.push("block")
    if (word === "}" && braces.pop() === "template") takeTemplatePart()
  }
  return { text, code, comments }
}

/** The line of a position, counted from 1. */
export const lineAt = (text: string, position: number): number => text.slice(0, position).split("\n").length

/** The lines on which a pattern occurs in the code; the pattern needs the flag `g`. */
export const codeLines = (source: SourceText, pattern: RegExp): ReadonlyArray<number> =>
  [...source.code.matchAll(pattern)].map(({ index }) => lineAt(source.code, index))
