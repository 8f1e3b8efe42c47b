/**
 * Writes and maps JSON values of any depth, without recursion: a server can nest an answer deeper than the engine's stack allows. It is slower
 * than the engine's own functions, so it is used where they fail.
 */
import { writesItself } from "./digits.ts"
import type { Json } from "./JsonValue.ts"

interface Open {
  readonly value: object
  /** Names of the members that are written; null for an array. */
  readonly names: ReadonlyArray<string> | null
  readonly size: number
  at: number
}

const open = (value: object): Open => {
  if (Array.isArray(value)) return { value, names: null, size: value.length, at: 0 }
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return { value, names: members.map(([name]) => name), size: members.length, at: 0 }
}

/** Writes JSON text without indentation. `writeLeaf` writes values without members; values that it cannot write become `null`. */
export const write = (value: unknown, writeLeaf: (leaf: unknown) => string | undefined): string => {
  const parts: Array<string> = []
  const pending: Array<Open> = []
  const within = new Set<object>()
  const begin = (inner: unknown): void => {
    if (typeof inner !== "object" || inner === null || writesItself(inner)) {
      parts.push(writeLeaf(inner) ?? "null")
      return
    }
    if (within.has(inner)) throw new TypeError("A value that contains itself cannot be written as JSON.")
    within.add(inner)
    pending.push(open(inner))
    parts.push(Array.isArray(inner) ? "[" : "{")
  }
  begin(value)
  for (let last = pending.at(-1); last !== undefined; last = pending.at(-1)) {
    const { at, names, size, value: container } = last
    if (at === size) {
      parts.push(names === null ? "]" : "}")
      within.delete(container)
      pending.pop()
      continue
    }
    if (at > 0) parts.push(",")
    const name = names === null ? at : names[at]!
    if (names !== null) parts.push(JSON.stringify(name), ":")
    last.at += 1
    begin(container[name as keyof typeof container])
  }
  return parts.join("")
}

/** A copy in which every text has gone through `change`, and the names of the members of each object through `changeNames`. */
export const mapTexts = (
  value: Json,
  change: (text: string) => string,
  changeNames = (names: ReadonlyArray<string>): ReadonlyArray<string> => names.map(change),
): Json => {
  const pending: Array<() => void> = []
  const copyOf = (inner: Json): Json => {
    if (typeof inner === "string") return change(inner)
    if (typeof inner !== "object" || inner === null) return inner
    if (Array.isArray(inner)) {
      const copy: Array<Json> = []
      pending.push(() => {
        for (const item of inner as ReadonlyArray<Json>) copy.push(copyOf(item))
      })
      return copy
    }
    const copy: { readonly [member: string]: Json } = {}
    pending.push(() => {
      const members = Object.entries(inner)
      const names = changeNames(members.map(([name]) => name))
      members.forEach(([, item], at) => {
        // A member can be called __proto__, and must stay a member.
        const member = { value: copyOf(item), configurable: true, enumerable: true, writable: true }
        Object.defineProperty(copy, names[at]!, member)
      })
    })
    return copy
  }
  const copy = copyOf(value)
  for (let fill = pending.pop(); fill !== undefined; fill = pending.pop()) fill()
  return copy
}
