/**
 * A profile is one account of the service under a name that the user chose. Also the file that holds all profiles. Pure.
 *
 * A profile holds the location of the key, never the key. The name of the cursor's parameter is not in the specification (Spec: Endpoints 5): a
 * profile keeps the verified one, with its evidence and date.
 */
import { Json } from "@deedkit/core"

/** Where the key is: in the keychain, in the file of plaintext keys beside the profiles, or in a user's file. */
export type KeyPlace =
  | { readonly in: "keychain" }
  | { readonly in: "plaintext" }
  | { readonly in: "file"; readonly path: string }

/** The verified cursor parameter, its evidence, and when it was verified, ISO 8601 UTC. */
interface KeptCursor {
  readonly parameter: string
  readonly evidence: string
  readonly verifiedAt: string
}

/** The findings of a checkup of the server, by topic, and its time. For people only; nothing relies on them. */
interface Learnt {
  readonly at: string
  readonly answers: { readonly [about: string]: string }
}

export interface Profile {
  readonly baseUrl: string
  /** Null after a logout. */
  readonly key: KeyPlace | null
  readonly cursor: KeptCursor | null
  readonly learnt: Learnt | null
}

export interface Profiles {
  /** The profile of commands that do not name one. */
  readonly current: string | null
  readonly byName: ReadonlyMap<string, Profile>
}

export const none: Profiles = { current: null, byName: new Map() }

/** Whether a text can name a profile: letters, digits, dots, dashes and underscores, at most 64 characters, beginning with a letter or digit. */
export const isName = (text: string): boolean => /^[a-z0-9][\w.-]{0,63}$/i.test(text)

/** The origin of a base URL, which a key belongs to; null if it is not a URL. */
export const originOf = (baseUrl: string): string | null => {
  const text = baseUrl.trim()
  return URL.canParse(text) ? new URL(text).origin : null
}

/** Adds or replaces the profile of that name. The current profile does not change: findings of a command do not select an account. */
export const put = ({ byName, current }: Profiles, name: string, profile: Profile): Profiles => ({
  current,
  byName: new Map([...byName, [name, profile]]),
})

/** The same for a profile that the user adds: it becomes current if there is no current profile. */
export const add = (profiles: Profiles, name: string, profile: Profile): Profiles => ({
  ...put(profiles, name, profile),
  current: profiles.current ?? name,
})

/** Removes a profile. If it was the current one, there is no current profile afterwards. */
export const remove = ({ byName, current }: Profiles, name: string): Profiles => ({
  current: current === name ? null : current,
  byName: new Map([...byName].filter(([each]) => each !== name)),
})

type Members = { readonly [member: string]: unknown }

const texts = (value: unknown, ...members: ReadonlyArray<string>): value is Members =>
  Json.isObject(value) && members.every((member) => typeof value[member] === "string")

const readKey = (value: unknown): KeyPlace | null | undefined => {
  if (value === null || value === undefined) return null
  if (texts(value, "in", "path") && value["in"] === "file") return { in: "file", path: String(value["path"]) }
  if (!texts(value, "in")) return undefined
  return value["in"] === "keychain" || value["in"] === "plaintext" ? { in: value["in"] } : undefined
}

/** The cursor is saved only for convenience: an invalid value is ignored. */
const readCursor = (value: unknown): KeptCursor | null =>
  texts(value, "parameter", "evidence", "verifiedAt") ? (value as unknown as KeptCursor) : null

const readLearnt = (value: unknown): Learnt | null => {
  if (!texts(value, "at") || !Json.isObject(value["answers"])) return null
  const answers = value["answers"]
  return texts(answers, ...Object.keys(answers)) ? (value as unknown as Learnt) : null
}

const readProfile = (value: unknown): Profile | null => {
  if (!texts(value, "baseUrl")) return null
  const key = readKey(value["key"])
  if (key === undefined) return null
  const { baseUrl, cursor, learnt } = value
  return { baseUrl: String(baseUrl), key, cursor: readCursor(cursor), learnt: readLearnt(learnt) }
}

/** Parses the text of the file. Returns the profiles, or a description of the problem. */
export const parse = (text: string): Profiles | string => {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return "is not JSON"
  }
  if (!Json.isObject(file) || !Json.isObject(file["profiles"])) return "does not hold profiles"
  if (file["version"] !== 1) return "is of another version of deedkit"
  const byName = new Map<string, Profile>()
  for (const [name, value] of Object.entries(file["profiles"])) {
    const profile = isName(name) ? readProfile(value) : null
    if (profile === null) return `has a profile that cannot be read: ${JSON.stringify(name)}`
    byName.set(name, profile)
  }
  const current = file["current"] ?? null
  return current === null || (typeof current === "string" && byName.has(current))
    ? { current, byName }
    : "names a current profile that it does not hold"
}

/** The text of the file. */
export const encode = ({ byName, current }: Profiles): string =>
  `${JSON.stringify({ version: 1, current, profiles: Object.fromEntries(byName) }, null, 2)}\n`
