/**
 * Audits a list of API keys for least privilege: "one key per integration, granting only what it needs" (Spec: Resources, API key).
 *
 * Pure: it takes records and a time, and returns findings. The records do not say which scopes an integration needs, who holds a key, or how
 * often it is used.
 */
import type { ApiKey, Scope } from "./ApiKey.ts"
import { isRevoked, knownScopes } from "./ApiKey.ts"
import type { Timestamp } from "./Timestamp.ts"
import { toEpochMillis } from "./Timestamp.ts"

/** The priority of a finding: `high` is urgent, `medium` soon, `low` when there is time. */
export type Severity = "high" | "medium" | "low"

/** The evidence from a record for a finding, by rule. `days` counts whole days that have passed. */
export interface Evidence {
  /** Revoked (Spec: States, API key), and `last_used_at` is later than that. */
  readonly "used-after-revocation": { readonly revokedAt: Timestamp; readonly lastUsedAt: Timestamp }
  /** Not revoked, and never used: `last_used_at` is null (Spec: Resources, API key). */
  readonly "never-used": { readonly createdAt: Timestamp; readonly days: number }
  /** Not revoked, and not used for a while. */
  readonly unused: { readonly lastUsedAt: Timestamp; readonly days: number }
  /** Not revoked, and grants more scopes than one integration usually needs. */
  readonly "many-scopes": { readonly scopes: ReadonlyArray<Scope>; readonly limit: number }
  /** Not revoked, and grants scopes that the specification does not name; its list is not complete (Spec: Authentication 5). */
  readonly "unknown-scopes": { readonly scopes: ReadonlyArray<Scope> }
  /** Not revoked, and due to be replaced. */
  readonly old: { readonly createdAt: Timestamp; readonly days: number }
}

/** A finding about one key. `keyName` is its label in the dashboard, any text; `advice` says what the owner can do, in full sentences. */
export type Finding<Rule extends keyof Evidence = keyof Evidence> = {
  [Each in Rule]: {
    readonly rule: Each
    readonly keyId: number
    readonly keyName: string
    readonly severity: Severity
    readonly evidence: Evidence[Each]
    readonly advice: string
  }
}[Rule]

export interface AuditOptions {
  readonly now: Date
  /** Days without use after which a key counts as unused. Default 90. */
  readonly unusedDays?: number | undefined
  /** Days until a new key that was never used is reported. Default 7, and never more than `unusedDays`. */
  readonly graceDays?: number | undefined
  /** The most scopes that a key can have without being reported. Default 3. */
  readonly maxScopes?: number | undefined
  /** Days after which a key should be replaced. Default 365. */
  readonly maxAgeDays?: number | undefined
}

/** The defaults of `AuditOptions`, in days and scopes. */
export const defaults = { unusedDays: 90, graceDays: 7, maxScopes: 3, maxAgeDays: 365 } as const

interface Limits extends Record<keyof typeof defaults, number> {
  readonly now: number
}

/** One rule: what it finds in a record, what the owner can do, and the evidence as a clause. */
interface Rule<Name extends keyof Evidence> {
  readonly find: (
    key: ApiKey,
    limits: Limits,
  ) => { readonly severity: Severity; readonly evidence: Evidence[Name] } | null
  readonly advice: string
  readonly sentence: (evidence: Evidence[Name]) => string
}

const dayMillis = 86_400_000

/** NaN for a string that is not a timestamp; each rule then finds nothing. */
const daysSince = (timestamp: Timestamp, { now }: Limits): number =>
  Math.floor((now - toEpochMillis(timestamp)) / dayMillis)

const inDays = (number: number): string => `${number} ${number === 1 ? "day" : "days"}`
const day = (timestamp: Timestamp): string => timestamp.slice(0, 10)

const rules: { readonly [Name in keyof Evidence]: Rule<Name> } = {
  "used-after-revocation": {
    find: ({ last_used_at, revoked_at }) =>
      revoked_at !== null && last_used_at !== null && toEpochMillis(last_used_at) > toEpochMillis(revoked_at)
        ? { severity: "high", evidence: { revokedAt: revoked_at, lastUsedAt: last_used_at } }
        : null,
    advice: "Find the program that still sends this key, and check that the service refuses it.",
    sentence: ({ lastUsedAt, revokedAt }) => `used ${lastUsedAt}, revoked ${revokedAt}`,
  },
  "never-used": {
    find: ({ created_at, last_used_at }, limits) => {
      const days = daysSince(created_at, limits)
      return last_used_at === null && days >= Math.min(limits.graceDays, limits.unusedDays)
        ? {
            severity: days >= limits.unusedDays ? "medium" : "low",
            evidence: { createdAt: created_at, days },
          }
        : null
    },
    advice: "If no integration needs it, revoke it in the dashboard.",
    sentence: ({ createdAt, days }) => `never used in ${inDays(days)}, since ${day(createdAt)}`,
  },
  unused: {
    find: ({ last_used_at }, limits) => {
      if (last_used_at === null) return null
      const days = daysSince(last_used_at, limits)
      return days >= limits.unusedDays
        ? { severity: "medium", evidence: { lastUsedAt: last_used_at, days } }
        : null
    },
    advice: "If its integration is gone, revoke it in the dashboard.",
    sentence: ({ days, lastUsedAt }) => `not used for ${inDays(days)}, since ${day(lastUsedAt)}`,
  },
  "many-scopes": {
    find: (key, { maxScopes }) => {
      const scopes = [...new Set(key.scopes)]
      return scopes.length > maxScopes ? { severity: "medium", evidence: { scopes, limit: maxScopes } } : null
    },
    advice: "If several integrations share it, create one key for each, with only the scopes that it needs.",
    sentence: ({ limit, scopes }) => `${scopes.length} scopes, more than ${limit}: ${scopes.join(", ")}`,
  },
  "unknown-scopes": {
    find: (key) => {
      const scopes = [...new Set(key.scopes)].filter((scope) => !knownScopes.has(scope))
      return scopes.length > 0 ? { severity: "low", evidence: { scopes } } : null
    },
    advice: "The specification does not describe these scopes. Check in the dashboard what they grant.",
    sentence: ({ scopes }) => `scopes that are not specified: ${scopes.join(", ")}`,
  },
  old: {
    find: ({ created_at }, limits) => {
      const days = daysSince(created_at, limits)
      return days > limits.maxAgeDays ? { severity: "low", evidence: { createdAt: created_at, days } } : null
    },
    advice: "Create a new key, give it to the integration, check that it is used, then revoke this one.",
    sentence: ({ createdAt, days }) => `${inDays(days)} old, made on ${day(createdAt)}`,
  },
}

const names = Object.keys(rules) as ReadonlyArray<keyof Evidence>

/** The scopes and the age of a revoked key no longer matter, and only such a key can be used after its revocation. */
const namesFor = (key: ApiKey) =>
  names.filter((name) => isRevoked(key) === (name === "used-after-revocation"))

const finding = (rule: keyof Evidence, key: ApiKey, limits: Limits): ReadonlyArray<Finding> => {
  const { advice, find } = rules[rule]
  const found = find(key, limits)
  return found === null ? [] : [{ rule, keyId: key.id, keyName: key.name, advice, ...found } as Finding]
}

const weights: { readonly [Each in Severity]: number } = { high: 0, medium: 1, low: 2 }

/** The findings about the keys, highest priority first, then in the order of the keys. Never fails. */
export const audit = (
  keys: ReadonlyArray<ApiKey>,
  { now, ...options }: AuditOptions,
): ReadonlyArray<Finding> => {
  const { graceDays, maxAgeDays, maxScopes, unusedDays } = defaults
  const limits: Limits = {
    now: now.getTime(),
    unusedDays: options.unusedDays ?? unusedDays,
    graceDays: options.graceDays ?? graceDays,
    maxScopes: options.maxScopes ?? maxScopes,
    maxAgeDays: options.maxAgeDays ?? maxAgeDays,
  }
  return keys
    .flatMap((key) => namesFor(key).flatMap((name) => finding(name, key, limits)))
    .toSorted((left, right) => weights[left.severity] - weights[right.severity])
}

/** The evidence as a clause, without a full stop: `not used for 214 days, since 2026-01-04`. Names of scopes can be any text. */
export const sentence = ({ evidence, rule }: Finding): string =>
  (rules[rule] as Rule<keyof Evidence>).sentence(evidence)
