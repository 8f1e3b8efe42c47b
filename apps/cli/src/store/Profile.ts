/**
 * A profile is one account of the service under a name that the user chose. Also the file that holds all profiles. Pure.
 *
 * A profile holds the location of the key, never the key. The name of the cursor's parameter is not in the specification (Spec: Endpoints 5): a
 * profile keeps the verified one, with its evidence and date.
 */
import { Json } from "@deedkit/core"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Where the key is: in the keychain, in the file of plaintext keys beside the profiles, or in a user's file. */
const KeyPlace = Schema.Union([
  Schema.Struct({ in: Schema.Literals(["keychain", "plaintext"]) }),
  Schema.Struct({ in: Schema.Literal("file"), path: Schema.String }),
])
export type KeyPlace = typeof KeyPlace.Type

/** The verified cursor parameter, its evidence, and when it was verified, ISO 8601 UTC. */
const Cursor = Schema.Struct({
  parameter: Schema.String,
  evidence: Schema.String,
  verifiedAt: Schema.String,
})

/** The findings of a checkup of the server, by topic, and its time. For people only; nothing relies on them. */
const Learnt = Schema.Struct({ at: Schema.String, answers: Schema.Record(Schema.String, Schema.String) })

export interface Profile {
  readonly baseUrl: string
  /** Null after a logout. */
  readonly key: KeyPlace | null
  readonly cursor: typeof Cursor.Type | null
  readonly learnt: typeof Learnt.Type | null
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

const decodeAccount = Schema.decodeUnknownOption(
  Schema.Struct({ baseUrl: Schema.String, key: Schema.optionalKey(Schema.NullOr(KeyPlace)) }),
)
const decodeCursor = Schema.decodeUnknownOption(Cursor)
const decodeLearnt = Schema.decodeUnknownOption(Learnt)

/** What is saved only for convenience is left out where it is invalid. */
const readProfile = (value: unknown): Profile | null => {
  const account = Option.getOrNull(decodeAccount(value))
  if (account === null || !Json.isObject(value)) return null
  const cursor = Option.getOrNull(decodeCursor(value["cursor"]))
  const learnt = Option.getOrNull(decodeLearnt(value["learnt"]))
  return { key: null, ...account, cursor, learnt }
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

export const encode = ({ byName, current }: Profiles): string =>
  `${JSON.stringify({ version: 1, current, profiles: Object.fromEntries(byName) }, null, 2)}\n`
