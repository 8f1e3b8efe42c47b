/**
 * Whose data an export holds, so that the manifests of several accounts of one service can be told apart. Pure.
 *
 * Neither the answer of `/v1/me/` nor the scope that it needs is specified (Spec: Endpoints 7), so a small part of the answer is saved without
 * interpretation: short texts, numbers and booleans, without anything that looks like a secret. It is data about the caller only.
 */
import { Json } from "@deedkit/core"

/** The saved part of the answer of `/v1/me/`: values by path, such as `name` and `account.name`. */
export type Me = { readonly [path: string]: string | number | boolean }

export interface Account {
  /** The profile whose key was used; null if the key does not belong to a profile. */
  readonly profile: string | null
  /**
   * The first 64 bits, in hexadecimal, of a SHA-256 over origin and key: the same for the same key of the same service. Null where the
   * program that made the export does not know it.
   */
  readonly keyFingerprint: string | null
  /** What the service says about the caller; null if that is not known. */
  readonly me: Me | null
  /** Why `me` is null, as a clause; null if `me` is not null. */
  readonly meReason: string | null
}

/** An account without its key, which is known from its pages. */
export type Caller = Omit<Account, "keyFingerprint">

export const unasked: Caller = { profile: null, me: null, meReason: "it was not asked for" }

const mostMembers = 20
const mostCharacters = 200

const unshown = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** A text of the service as one line of at most 200 characters, without control characters and characters that change the text direction. */
export const clean = (text: string, redact: (text: string) => string = (same) => same): string => {
  // Redact after the control characters are removed: one of them can be in the middle of a secret.
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
 * The part of the answer of `/v1/me/` that is saved: at most 20 texts, numbers and booleans from the answer and the objects in it, with texts of at
 * most 200 characters. `ok`, arrays, deeper nesting and members with names of secrets are skipped. `redact` removes the API key.
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

/** Where `/v1/me/` may name the account that a person belongs to; its form is not specified (Spec: Endpoints 7). */
const namesOfAccount = ["account.name", "organization.name", "company.name"]

/** The account's name as the service gives it; null if it gives none. */
export const nameIn = (me: Me | null): string | null => {
  const names = namesOfAccount.map((path) => me?.[path])
  return names.find((name) => typeof name === "string" && name !== "")?.toString() ?? null
}

const textOrNull = (value: Json.Json | undefined): string | null =>
  typeof value === "string" ? clean(value) : null

/** Reads an account from any value, such as a member of a manifest from a file; null if the value is not an account. */
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
