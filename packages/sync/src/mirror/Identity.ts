/**
 * Decides whether two answers of `/v1/me/` belong to one account. Pure.
 *
 * The shape of that answer is not specified (Spec: Endpoints 7), so only identifiers are compared: members named `id`, or whose name ends in `_id`.
 * Members that describe the key or the session are left out, because they differ for another key of the same account.
 */
import { Json } from "@deedkit/core"

/** Ids by path, such as `account.id`. Empty if the answer names none. */
export type Identity = { readonly [path: string]: string }

const ofKey = /key|token|session|request|trace/i
const deepest = 3

const idsIn = (value: Json.Json, path: string, depth: number): ReadonlyArray<readonly [string, string]> =>
  depth >= deepest || !Json.isObject(value)
    ? []
    : Object.entries(value).flatMap(([name, member]): ReadonlyArray<readonly [string, string]> => {
        const at = path === "" ? name : `${path}.${name}`
        if (ofKey.test(name)) return []
        if (Json.isObject(member)) return idsIn(member, at, depth + 1)
        const isId = /^(?:id|.*_id|uuid)$/i.test(name)
        const isName = typeof member === "string" || typeof member === "number" || typeof member === "bigint"
        return isId && isName ? [[at, String(member).slice(0, 200)]] : []
      })

/** The ids in an answer of `/v1/me/`. A value that `redact` changes is left out, because it holds the key. */
export const identityOf = (me: Json.Json, redact: (text: string) => string): Identity =>
  Object.fromEntries(idsIn(me, "", 0).filter(([path, id]) => redact(path) === path && redact(id) === id))

/** Paths that name the account itself and not one of its users. */
const ofAccount = /account|organi[sz]ation|company|tenant|team|workspace/i

/**
 * `same` or `other` if both have ids at the same paths; else `unknown`. If there are ids of an account, only they decide: two users of one account
 * can each create a key.
 */
export const compare = (before: Identity | null, now: Identity | null): "same" | "other" | "unknown" => {
  if (before === null || now === null) return "unknown"
  const shared = Object.keys(before).filter((path) => Object.hasOwn(now, path))
  if (shared.length === 0) return "unknown"
  const decisive = shared.filter((path) => ofAccount.test(path))
  return (decisive.length > 0 ? decisive : shared).every((path) => before[path] === now[path])
    ? "same"
    : "other"
}
