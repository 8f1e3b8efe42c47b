/**
 * Whose data an export holds, so that the manifests of several accounts of one service can be told apart. Pure.
 *
 * What `/v1/me/` answers is not specified, nor which scope it takes (Spec: Endpoints 7), so a little of it is saved as it came: short texts,
 * numbers and booleans, without anything that looks like a secret. It is data of the caller only.
 */
import { Json } from "@deedkit/core"

/** What is saved of the answer of `/v1/me/`: values by path, such as `name` and `account.name`. */
export type Me = { readonly [path: string]: string | number | boolean }

export interface Account {
  /** The profile whose key was used; null where the key is not of a profile. */
  readonly profile: string | null
  /**
   * The first 64 bits, in hexadecimal, of a SHA-256 over origin and key: the same for the same key of the same service. Null where the
   * program that made the export does not know it.
   */
  readonly keyFingerprint: string | null
  /** What the service says about the caller; null where that is not known. */
  readonly me: Me | null
  /** Why `me` is null, a clause; null where it is not. */
  readonly meReason: string | null
}

/** An account without its key, which is known from its pages. */
export type Caller = Omit<Account, "keyFingerprint">

/** The account of a run without `caller`. */
export const unasked: Caller = { profile: null, me: null, meReason: "it was not asked for" }

const mostMembers = 20
const mostCharacters = 200

const unshown = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** A text of the service on one line, cut to 200 characters, without control characters and those that turn the direction of the text. */
export const clean = (text: string, redact: (text: string) => string = (same) => same): string => {
  // Only what is left of a text can be searched for a secret: a control character may stand in the middle of one.
  const characters = Array.from(redact(text.toWellFormed().replaceAll(unshown, "")))
  return characters.length <= mostCharacters
    ? characters.join("")
    : `${characters.slice(0, mostCharacters - 1).join("")}…`
}

/** Names of members that usually hold a secret. Skipping a member that holds none is better than saving a secret. */
const secretName =
  /secret|token|passw|passphrase|credential|private|session|cookie|authorization|signature|jwt|^otp$|^pin$/i
const isSecret = (name: string): boolean => secretName.test(name) || /(?:^|_|-|i)key$/i.test(name)

const scalars = (
  members: { readonly [member: string]: Json.Json },
  redact: (text: string) => string,
): ReadonlyArray<readonly [name: string, value: string | number | boolean]> =>
  Object.entries(members).flatMap(
    ([name, value]): ReadonlyArray<readonly [string, string | number | boolean]> => {
      if (isSecret(name)) return []
      if (typeof value === "boolean") return [[name, value]]
      if (typeof value === "string") return [[name, clean(value, redact)]]
      if (typeof value !== "number" && typeof value !== "bigint") return []
      const digits = String(value)
      if (redact(digits) !== digits) return []
      return [[name, typeof value === "number" && Number.isFinite(value) ? value : digits]]
    },
  )

/**
 * What is saved of the answer of `/v1/me/`: at most 20 texts, numbers and booleans of its own and of the objects in it, texts of at most 200
 * characters. `ok`, arrays, deeper nesting and members with names of secrets are skipped. `redact` removes the API key.
 */
export const meOf = (
  answer: { readonly [member: string]: Json.Json },
  redact: (text: string) => string,
): Me => {
  const { ok: _, ...members } = answer
  const nested = Object.entries(members).flatMap(([outer, value]) =>
    Json.isObject(value) && !secretName.test(outer)
      ? scalars(value, redact).map(([name, inner]) => [`${outer}.${name}`, inner] as const)
      : [],
  )
  return Object.fromEntries(
    [...scalars(members, redact), ...nested]
      .slice(0, mostMembers)
      .map(([path, value]) => [clean(path, redact), value]),
  )
}

const textOrNull = (value: Json.Json | undefined): string | null =>
  typeof value === "string" ? clean(value) : null

/** The account in a value that may be anything, such as a member of a manifest from a file; null where it is none. */
export const fromJson = (value: Json.Json | undefined): Account | null => {
  if (!Json.isObject(value)) return null
  const { keyFingerprint, me, meReason, profile } = value
  return {
    profile: textOrNull(profile),
    keyFingerprint: textOrNull(keyFingerprint),
    me: Json.isObject(me) ? meOf(me, (text) => text) : null,
    meReason: textOrNull(meReason),
  }
}
