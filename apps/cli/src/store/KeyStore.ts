/**
 * Stores API keys in the keychain, or on request in a file of plaintext keys with mode 0600. One of the few places that unwrap a key: to save it, and
 * to show its last four characters.
 *
 * A saved key belongs to one profile and one origin, so that a changed base URL never receives the key of another one.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SettingsLock from "./SettingsLock.ts"
import { Keychain } from "./Keychain.ts"
import * as PrivateFile from "./PrivateFile.ts"
import type { Failure } from "../failure/Failure.ts"
import { storeError } from "../failure/Failure.ts"

/** Whose key it is, and where plaintext keys are. */
export interface Owner {
  readonly profile: string
  readonly origin: string
  /** The file of plaintext keys. */
  readonly plaintextPath: string
}

/** A key store of this program. */
export type Kind = "keychain" | "plaintext"

export const wrap = (text: string): Redacted.Redacted => Redacted.make(text, { label: "API key" })

/** Whether a key is the empty text, such as an empty variable. */
export const isEmpty = (key: Redacted.Redacted): boolean => Redacted.value(key) === ""

/** `…a1b2`: enough to distinguish keys; null for a key that is so short that this would reveal too much. */
export const lastFour = (key: Redacted.Redacted): string | null => {
  const text = Redacted.value(key)
  return text.length < 12 ? null : `…${text.slice(-4)}`
}

const accountOf = ({ origin, profile }: Owner): string => `${profile} ${origin}`

/** The file of plaintext keys, by profile. */
const Keys = Schema.fromJsonString(
  Schema.Struct({
    keys: Schema.Record(Schema.String, Schema.Struct({ origin: Schema.String, apiKey: Schema.String })),
  }),
)
type Entries = ReadonlyMap<string, { readonly origin: string; readonly apiKey: string }>

const parse = (text: string): Entries | null =>
  Option.match(Schema.decodeOption(Keys)(text), {
    onNone: () => null,
    onSome: ({ keys }) => new Map(Object.entries(keys)),
  })

const broken = (path: string, problem: string, advice: string): Failure =>
  storeError({ kind: "broken", path, problem: `The file of plaintext keys ${path} ${problem}`, advice })

const loadPlaintext = Effect.fnUntraced(function* (path: string) {
  const contents = yield* PrivateFile.read(path)
  if (contents === null) return new Map()
  if (contents.othersMayRead) {
    return yield* broken(
      path,
      "can be read by others",
      "Run chmod 600 on it; if others have read it, create new keys.",
    )
  }
  return (
    parse(contents.text) ?? (yield* broken(path, "is invalid", "Remove it and run `deedkit auth login`."))
  )
})

const savePlaintext = (path: string, entries: Entries): Effect.Effect<void, Failure> =>
  entries.size === 0
    ? PrivateFile.remove(path)
    : PrivateFile.write(
        path,
        `${JSON.stringify({ version: 1, warning: "API keys in plaintext", keys: Object.fromEntries(entries) }, null, 2)}\n`,
      )

/** Changes the file of plaintext keys, one process at a time. Returns its previous content. */
const changePlaintext = (
  path: string,
  change: (entries: Entries) => Entries,
): Effect.Effect<Entries, Failure> =>
  Effect.gen(function* () {
    const entries = yield* loadPlaintext(path)
    const changed = change(entries)
    if (changed !== entries) yield* savePlaintext(path, changed)
    return entries
  }).pipe(SettingsLock.hold(SettingsLock.beside(path)))

/** The saved key of a profile for its origin; null when there is none. */
export const read = Effect.fnUntraced(function* (
  kind: Kind,
  owner: Owner,
): Effect.fn.Return<Redacted.Redacted | null, Failure> {
  if (kind === "keychain") {
    const text = yield* (yield* Keychain).get(accountOf(owner))
    return text === null ? null : wrap(text)
  }
  const entry = (yield* loadPlaintext(owner.plaintextPath)).get(owner.profile)
  return entry?.origin === owner.origin ? wrap(entry.apiKey) : null
})

/** Writes a key to a file of its own. */
export const writeFile = (path: string, key: Redacted.Redacted): Effect.Effect<void, Failure> =>
  PrivateFile.write(path, `${Redacted.value(key)}\n`)

/** Saves a key, replacing an older one. */
export const write = Effect.fnUntraced(function* (
  kind: Kind,
  owner: Owner,
  key: Redacted.Redacted,
): Effect.fn.Return<void, Failure> {
  const apiKey = Redacted.value(key)
  if (kind === "keychain") return yield* (yield* Keychain).set(accountOf(owner), apiKey)
  const { origin, plaintextPath, profile } = owner
  yield* changePlaintext(plaintextPath, (entries) => new Map([...entries, [profile, { origin, apiKey }]]))
})

/** Deletes a key. Returns whether there was one. */
export const remove = Effect.fnUntraced(function* (
  kind: Kind,
  owner: Owner,
): Effect.fn.Return<boolean, Failure> {
  if (kind === "keychain") return yield* (yield* Keychain).remove(accountOf(owner))
  const { plaintextPath, profile } = owner
  const before = yield* changePlaintext(plaintextPath, (entries) =>
    entries.has(profile) ? new Map([...entries].filter(([name]) => name !== profile)) : entries,
  )
  return before.has(profile)
})
