/**
 * `deedkit auth status`: shows which key is in use, its source, which values it overrides, what it can read, and its record at the service if that is
 * known.
 */
import { ApiKey } from "@deedkit/core"
import type { ClientError, PropertyClient } from "@deedkit/core"
import { Trial } from "@deedkit/core/checkup"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Command from "effect/cli/Command"
import { trialName, trialWords } from "../doctor/FindingWords.ts"
import { examples, root } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import * as FieldList from "../records/FieldList.ts"
import * as KeySource from "../session/KeySource.ts"
import * as Session from "../session/Session.ts"
import * as Settings from "../session/Settings.ts"
import * as KeyStore from "../store/KeyStore.ts"
import { Environment } from "../terminal/Environment.ts"

/**
 * The record of the key in use. The service does not identify it: no record holds a secret, and no key id is specified for `/v1/me/` (Spec: Endpoints
 * 4, 7). It is therefore known only when exactly one record matches. `last_used_at` does not help: a service may update it late, and the record of a
 * busier key would match.
 */
export type OwnRecord =
  | { readonly _tag: "Known"; readonly record: ApiKey.ApiKey; readonly why: string }
  | { readonly _tag: "Unknown"; readonly why: string }

const pageLimit = 100
const mostPages = 5

/** Whether a record matches what the trials of the key showed. Pure. */
const fits = (record: ApiKey.ApiKey, trials: ReadonlyArray<Trial.Trial>): boolean =>
  !ApiKey.isRevoked(record) &&
  trials.every(({ error, scope }) => {
    if (scope === null) return true
    if (error === null) return record.scopes.includes(scope)
    return error.reason._tag !== "Forbidden" || !record.scopes.includes(scope)
  })

/** Finds the record among all of them. Pure. */
export const ownRecordAmong = (
  records: ReadonlyArray<ApiKey.ApiKey>,
  trials: ReadonlyArray<Trial.Trial>,
): OwnRecord => {
  const [record, ...others] = records.filter((each) => fits(each, trials))
  if (record === undefined) return { _tag: "Unknown", why: "no record matches what the key can read" }
  return others.length === 0
    ? { _tag: "Known", record, why: "the only record that is not revoked and has the scopes that worked" }
    : {
        _tag: "Unknown",
        why: `the service does not say which record belongs to this key, and ${others.length + 1} of ${records.length} match`,
      }
}

/** Reads the list of keys and finds the record. */
const findOwnRecord = Effect.fnUntraced(function* (
  client: PropertyClient.Service,
  trials: ReadonlyArray<Trial.Trial>,
): Effect.fn.Return<OwnRecord, ClientError.ClientError> {
  const refused = trials.find(({ endpoint, error }) => endpoint === "api-keys" && error !== null)
  if (refused !== undefined) {
    return { _tag: "Unknown", why: `the list of keys cannot be read without ${refused.scope}` }
  }
  const reading = client.apiKeys.pages({ limit: pageLimit, onRejected: "collect", readAhead: 0 })
  const pages = yield* Stream.runCollect(Stream.take(reading, mostPages))
  const isWhole =
    pages.at(-1)?.summary.complete === true && pages.every(({ rejected }) => rejected.length === 0)
  return isWhole
    ? ownRecordAmong(
        pages.flatMap(({ records }) => records),
        trials,
      )
    : { _tag: "Unknown", why: "the list of keys could not be read as a whole" }
})

const isInsecure = (source: KeySource.KeySource): boolean =>
  source._tag === "Saved" && source.kind === "plaintext"

const keyOf = ({ apiKey }: Settings.Sources, key: Redacted.Redacted) => ({
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

const documentOf = (
  sources: Settings.Sources,
  client: Session.Session["client"],
  { failure, record, trials }: Effect.Success<ReturnType<typeof ask>>,
) => ({
  profile: sources.choice.name?.value ?? null,
  baseUrl: client.config.base,
  key: keyOf(sources, client.config.apiKey),
  accepted: trials.length > 0 && failure?.reason._tag !== "Unauthenticated",
  works: trials.filter(({ error }) => error === null).map(trialName),
  missingScopes: Trial.missingScopes(trials),
  /** The key's own record, or why it is unknown. */
  record: redacted(record, client.redact),
})

const fieldsOf = (
  { baseUrl, key, profile, record }: ReturnType<typeof documentOf>,
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
  ...trials.map((trial) => ({ label: `Can read ${trialName(trial)}`, text: trialWords(trial) })),
  ...recordFields(record),
]

const nothingTold = (why: string): OwnRecord => ({ _tag: "Unknown", why })

/** Queries the service. Returns a failure as a value, so that everything known is printed first. */
const ask = Effect.fnUntraced(function* (client: Session.Session["client"]) {
  const tried = yield* Trial.run(client)
  const failure = Trial.failure(tried)
  const isReached = Trial.ending(tried) === null
  const trials = isReached ? tried : []
  if (!isReached) return { trials, record: nothingTold("the service could not be asked"), failure }
  const found = yield* Effect.result(findOwnRecord(client, trials))
  const record = Result.isSuccess(found) ? found.success : nothingTold("the list of keys could not be read")
  return { trials, record, failure }
})

export const status: Subcommand<"status"> = Command.make(
  "status",
  {},
  Effect.fn(function* () {
    const flags = yield* root
    const sources = yield* Settings.gather(flags, yield* Environment)
    const { client, terminal } = yield* Session.openWith(sources, flags, "interactive")
    const { failure, record, trials } = yield* ask(client)
    const document = documentOf(sources, client, { failure, record, trials })
    terminal.live(null)
    yield* flags.json
      ? terminal.json(JSON.stringify(document, null, 2))
      : terminal.dressed(FieldList.render(fieldsOf(document, trials), terminal.style, terminal.width))
    if (failure !== null) return yield* failure
  }, Effect.scoped),
).pipe(
  Command.withDescription("Show the API key in use, where it is stored, and what it can read"),
  examples(`
    deedkit auth status
    deedkit auth status --profile office --json | jq .missingScopes  # For a script
  `),
)
