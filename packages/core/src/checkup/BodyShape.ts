/**
 * The shape of an answer's body, without any of its values: the specification does not show the body of an error (Spec: Errors 2). Names of
 * members are shown only if they look like names.
 */
import * as Json from "../model/Json.ts"

const deepest = 2
const mostMembers = 8

/** A name that is safe to show; `isSecret` marks texts that are not. */
const nameOf = (name: string, isSecret: (text: string) => boolean): string =>
  /^[\w.-]{1,32}$/.test(name) && !isSecret(name) ? name : "?"

const shapeOf = (value: unknown, isSecret: (text: string) => boolean, depth: number): string => {
  if (Array.isArray(value)) {
    return value.length === 0
      ? "[]"
      : depth >= deepest
        ? "[...]"
        : `[${shapeOf(value[0], isSecret, depth + 1)}]`
  }
  if (!Json.isObject(value)) return value === null ? "null" : typeof value
  if (depth >= deepest) return "{...}"
  const members = Object.entries(value)
  const shown = members
    .slice(0, mostMembers)
    .map(([name, member]) => `${nameOf(name, isSecret)}: ${shapeOf(member, isSecret, depth + 1)}`)
  return `{${[...shown, ...(members.length > mostMembers ? ["..."] : [])].join(", ")}}`
}

/** The shape in words: `empty`, `HTML`, `text`, or JSON by member and type: `{error: {code: string}}`. */
export const of = (text: string, isSecret: (text: string) => boolean = () => false): string => {
  const body = text.trim()
  if (body === "") return "empty"
  if (body.startsWith("<")) return "HTML"
  try {
    return shapeOf(JSON.parse(body), isSecret, 0)
  } catch {
    return "text"
  }
}
