/**
 * Declarations and their docstrings in few lines, for a document that is read from beginning to end. Facts that its introduction states about all
 * declarations are not repeated at each.
 */

/** Maximum width of a line, in characters. */
export const width = 150

/**
 * The main part of a docstring's first sentence: up to a semicolon, or to the colon or dash before a list, without the clause of the specification. A
 * full stop inside a name or a number does not end a sentence.
 */
export const gist = (docs: string): string => {
  const text = docs.replace(/ - .*$/, "").replaceAll(/ \(Spec:[^)]*\)/g, "")
  const sentence = /^.*?\.(?=\s+[A-Z`]|\s*$)/.exec(text)?.[0] ?? text
  return sentence.replace(/; .*$/, ".").replace(/^(?<said>(?:[^\s:]+ ){3,}[^\s:]+): .*$/, "$<said>.")
}

/** Wraps a text into lines that begin with `mark`, and after the first with `next`. */
export const wrapped = (text: string, mark: string, next = mark): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push((last === undefined ? mark : next) + word)
  }
  return lines
}

/** Wraps code into lines, broken after members and parameters and before parts of a union. */
export const filled = (code: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const part of code.split(/(?<=[;{,]) | (?=\| |=> )/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + part.length < width) lines[lines.length - 1] = `${last} ${part}`
    else lines.push(last === undefined ? part : `    ${part}`)
  }
  return lines
}

/** The parts of a text between semicolons that are outside all brackets. */
const partsOf = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = [""]
  let depth = 0
  for (const letter of text) {
    if ("([{".includes(letter)) depth += 1
    if (")]}".includes(letter)) depth -= 1
    if (depth === 0 && letter === ";") parts.push("")
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "")
}

/** Members on one line: Schemas only by name, and consecutive members of one type together, as in `pages, records: number`. */
const grouped = (members: ReadonlyArray<string>): string => {
  const groups: Array<{ readonly names: Array<string>; readonly type: string }> = []
  for (const member of members) {
    const [, name, type = ""] = /^(?<name>[\w"-]+\??): (?<type>.*)$/.exec(member) ?? []
    const shown = type.startsWith("Schema.") ? "" : `: ${withGroups(type)}`
    const last = groups.at(-1)
    if (name === undefined) groups.push({ names: [withGroups(member)], type: "" })
    else if (last?.type === shown) last.names.push(name)
    else groups.push({ names: [name], type: shown })
  }
  return groups.map(({ names, type }) => names.join(", ") + type).join("; ")
}

/** Groups the members in each pair of braces. */
const withGroups = (text: string): string => {
  const start = text.indexOf("{ ")
  if (start === -1) return text
  let end = start
  for (let depth = 0; end < text.length; end++) {
    if (text[end] === "{") depth += 1
    if (text[end] === "}" && --depth === 0) break
  }
  const members = grouped(partsOf(text.slice(start + 2, end)))
  return `${text.slice(0, start)}{ ${members} }${withGroups(text.slice(end + 1))}`
}

/** The lines of a declaration. An interface with functions that is too long for one line has a line for each member. */
export const declaration = (name: string, text: string): ReadonlyArray<string> => {
  const code = withGroups(
    text
      .replaceAll(/\s*\n\s*/g, " ")
      .replaceAll(/(?<![\w$.])readonly (?=[\w["])/g, "")
      .replaceAll(/(?<=\?: [^;]*) \| undefined(?=;)/g, "")
      .replaceAll(/ReadonlyArray<(?<item>[\w.]+)>/g, "$<item>[]")
      .replaceAll(/= \| /g, "= ")
      .replace(`{ _tag: "${name}";`, "{")
      .replaceAll(/\{ +\}/g, "{}")
      .replace(/;$/, "")
      .replace(/^(?:const|interface|let|type) /, ""),
  )
  const [, head, body] = /^(?<head>[^{}]* \{) (?<body>.*) \}$/.exec(code) ?? []
  return code.length > width && head !== undefined && body?.includes("=>") === true
    ? [head, ...partsOf(body).flatMap((member) => filled(`  ${member}`)), "}"]
    : filled(code)
}
