/**
 * `deedkit auth status`: shows which key is in use, its source, which values it overrides, what it can read, and its record at the service if that is
 * known.
 */
import { Trial } from "@deedkit/core/checkup"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Redacted from "effect/Redacted"
import { Environment } from "../terminal/Environment.ts"
import * as FieldList from "../records/FieldList.ts"
import * as KeySource from "../session/KeySource.ts"
import * as KeyStore from "../store/KeyStore.ts"
import type { OwnRecord } from "./OwnRecord.ts"
import * as Own from "./OwnRecord.ts"
import { root } from "../command/Root.ts"
import * as Session from "../session/Session.ts"
import * as Settings from "../session/Settings.ts"
import * as TrialText from "./TrialText.ts"
import type { Work } from "../command/Subcommand.ts"

/** The whole status, as one JSON document. */
interface Status {
  readonly profile: string | null
  readonly baseUrl: string
  readonly key: {
    readonly lastFour: string | null
    readonly source: string | null
    readonly place: string | null
    readonly insecure: boolean
    readonly hides: ReadonlyArray<{ readonly source: string; readonly place: string }>
  }
  readonly accepted: boolean
  readonly works: ReadonlyArray<string>
  readonly missingScopes: ReadonlyArray<string>
  /** The key's own record, or why it is unknown. */
  readonly record: OwnRecord
}

const isInsecure = (source: KeySource.KeySource): boolean =>
  source._tag === "Saved" && source.kind === "plaintext"

const keyOf = ({ apiKey }: Settings.Sources, key: Redacted.Redacted): Status["key"] => ({
  lastFour: KeyStore.lastFour(key),
  source: apiKey?.source ?? null,
  place: apiKey === null ? null : KeySource.place(apiKey.value),
  insecure: apiKey !== null && [apiKey, ...apiKey.hides].some(({ value }) => isInsecure(value)),
  hides: (apiKey?.hides ?? []).map(({ source, value }) => ({ source, place: KeySource.place(value) })),
})

/** The record with the API key removed. */
const redacted = (own: OwnRecord, redact: (text: string) => string): OwnRecord =>
  own._tag === "Known"
    ? {
        ...own,
        record: { ...own.record, name: redact(own.record.name), scopes: own.record.scopes.map(redact) },
      }
    : own

const recordFields = (own: OwnRecord): ReadonlyArray<FieldList.Field> => {
  if (own._tag === "Unknown") return [{ label: "Record", text: `unknown: ${own.why}` }]
  const { created_at, id, last_used_at, name, revoked_at, scopes } = own.record
  return [
    { label: "Record", text: `${id}, "${name}": ${own.why}` },
    { label: "Scopes", text: scopes.join(" ") },
    { label: "Created", text: created_at },
    { label: "Last used", text: last_used_at ?? "never" },
    { label: "Revoked", text: revoked_at ?? "no" },
  ]
}

const fieldsOf = (
  { baseUrl, key, profile, record }: Status,
  trials: ReadonlyArray<Trial.Trial>,
): ReadonlyArray<FieldList.Field> => [
  { label: "Profile", text: profile ?? "none" },
  { label: "Base URL", text: baseUrl },
  {
    label: "API key",
    text: [key.lastFour ?? "too short to show a part of it", key.place, `(${key.source})`]
      .filter((each) => each !== null)
      .join(", ")
      .replace(", (", " ("),
  },
  ...key.hides.map(({ place, source }) => ({ label: "Hides", text: `the key ${place} (${source})` })),
  ...(key.insecure
    ? [
        {
          label: "Insecure",
          text: "a key of this profile is saved in plaintext; `deedkit auth login` moves it to the keychain",
        },
      ]
    : []),
  ...trials.map((trial) => ({ label: `Can read ${TrialText.nameOf(trial)}`, text: TrialText.words(trial) })),
  ...recordFields(record),
]

const nothingTold = (why: string): OwnRecord => ({ _tag: "Unknown", why })

/** Queries the service. Returns a failure as a value, so that everything known is printed first. */
const ask = (client: Session.Session["client"]) =>
  Effect.gen(function* () {
    const tried = yield* Trial.run(client)
    const failure = Trial.failure(tried)
    const isReached = Trial.ending(tried) === null
    const trials = isReached ? tried : []
    if (!isReached) return { trials, record: nothingTold("the service could not be asked"), failure }
    const found = yield* Effect.result(Own.find(client, trials))
    const record = Result.isSuccess(found) ? found.success : nothingTold("the list of keys could not be read")
    return { trials, record, failure }
  })

export const status: Work = Effect.fn(function* () {
  const flags = yield* root
  const sources = yield* Settings.gather(flags, yield* Environment)
  const { client, terminal } = yield* Session.openWith(sources, flags, "interactive")
  const { failure, record, trials } = yield* ask(client)
  const document: Status = {
    profile: sources.choice.name?.value ?? null,
    baseUrl: client.config.base,
    key: keyOf(sources, client.config.apiKey),
    accepted: trials.length > 0 && failure?.reason._tag !== "Unauthenticated",
    works: trials.filter(({ error }) => error === null).map(TrialText.nameOf),
    missingScopes: Trial.missingScopes(trials),
    record: redacted(record, client.redact),
  }
  terminal.live(null)
  yield* flags.json
    ? terminal.json(JSON.stringify(document, null, 2))
    : terminal.dressed(FieldList.render(fieldsOf(document, trials), terminal.style, terminal.width))
  if (failure !== null) return yield* failure
}, Effect.scoped)
