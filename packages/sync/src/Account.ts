/**
 * The names of accounts, and whether a caller is the account that a mirror has under its name. A name is shown in terminals and pages, compared, and
 * stored in two databases, so it is one line of text that looks like what it is.
 *
 * The shape of the answer of `/v1/me/` is not specified (Spec: Endpoints 7), so only identifiers are compared: members named `id`, or whose name ends
 * in `_id`. Members that describe the key or the session are left out, because they differ for another key of the same account.
 */
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type { SyncError } from "./SyncError.ts"
import { syncError } from "./SyncError.ts"

const mostCharacters = 128

/** Control characters, halves of characters, characters without a common meaning, line separators, and what changes the direction of text. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** What is wrong with a name, the rest of a sentence that begins with it; null for a valid one. */
export const problemOf = (name: string): string | null => {
  if (name === "") return "is empty"
  if (name.length > mostCharacters) return `is longer than ${mostCharacters} characters`
  if (unseen.test(name)) return "holds a character that is not seen"
  if (/[/\\]/.test(name) || /^\.+$/.test(name)) return "reads as a path"
  return name === name.trim() ? null : "begins or ends with white space"
}

/** Fails with `AccountNameInvalid` for the first name that is not valid. */
export const requireNames = (names: Iterable<string>): Effect.Effect<void, SyncError> =>
  Effect.suspend(() => {
    for (const account of names) {
      const problem = problemOf(account)
      if (problem !== null) return Effect.fail(syncError({ _tag: "AccountNameInvalid", account, problem }))
    }
    return Effect.void
  })

const collator = new Intl.Collator("en", { numeric: true })

/** The order of names in which numbers count: `owner-2` before `owner-10`. */
export const byName = (one: string, other: string): number =>
  collator.compare(one, other) || (one < other ? -1 : 1)

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
const compare = (before: Identity | null, now: Identity | null): "same" | "other" | "unknown" => {
  if (before === null || now === null) return "unknown"
  const shared = Object.keys(before).filter((path) => Object.hasOwn(now, path))
  if (shared.length === 0) return "unknown"
  const decisive = shared.filter((path) => ofAccount.test(path))
  return (decisive.length > 0 ? decisive : shared).every((path) => before[path] === now[path])
    ? "same"
    : "other"
}

/** The account under a name, as a read finds it. */
export interface Caller {
  readonly account: string
  /** Origin and path prefix of the API. */
  readonly baseUrl: string
  /** What `/v1/me/` says; null if it is not known. */
  readonly identity: Identity | null
  /** Accepts another key, caller or address for the account that the mirror holds, because its owner has confirmed it. */
  readonly isConfirmed: boolean
}

/** The owner of the records that a mirror holds under a name. */
export interface Owner {
  readonly baseUrl: string
  /** Null before the first page. */
  readonly keyFingerprint: string | null
  readonly identity: Identity | null
}

/** Why a caller is refused, judged by its address and `/v1/me/`; null if they show nothing against it. */
export const refusal = (
  owner: Owner,
  { account, baseUrl, identity, isConfirmed }: Caller,
): SyncError | null => {
  if (isConfirmed || owner.keyFingerprint === null) return null
  if (owner.baseUrl !== baseUrl) return syncError({ _tag: "OtherAccount", account, differs: "address" })
  return compare(owner.identity, identity) === "other"
    ? syncError({ _tag: "OtherAccount", account, differs: "caller" })
    : null
}

/**
 * The consequence of a page with this key: `kept`, nothing is new about the owner; `new`, its key, address or identity is to be noted; or the error
 * with which the page is refused. A new key whose owner is not known is refused, unless the caller is confirmed.
 */
export const ownership = (
  owner: Owner,
  caller: Caller,
  keyFingerprint: string,
): "kept" | "new" | SyncError => {
  const refused = refusal(owner, caller)
  if (refused !== null) return refused
  const { account, baseUrl, identity, isConfirmed } = caller
  if (owner.keyFingerprint === keyFingerprint && owner.baseUrl === baseUrl)
    return identity === null || owner.identity !== null ? "kept" : "new"
  const isKnown = owner.keyFingerprint === null || isConfirmed || compare(owner.identity, identity) === "same"
  return isKnown ? "new" : syncError({ _tag: "OtherAccount", account, differs: "key" })
}
