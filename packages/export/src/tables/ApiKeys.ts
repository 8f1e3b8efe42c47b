/**
 * API-key metadata as a table (Spec: Resources, API key): the one place where a key record becomes columns. The records never hold a
 * secret, so no file can.
 */
import { ApiKey } from "@deedkit/core"
import type { Json } from "@deedkit/core"
import * as Instant from "../table/Instant.ts"
import type { Grouping } from "../table/Overview.ts"
import type { Table } from "../table/Table.ts"
import type { Undocumented } from "./extraColumn.ts"
import { extraColumn, namedExtra } from "./extraColumn.ts"

const dayMillis = 86_400_000

/** Whole days from a timestamp to a moment; null if the timestamp is not an instant, or is after the moment. */
const daysSince = (timestamp: string | null, nowMillis: number): number | null => {
  const millis = timestamp === null ? null : Instant.of(timestamp)
  return millis === null || millis > nowMillis ? null : Math.floor((nowMillis - millis) / dayMillis)
}

const none = {}

const undocumented: Undocumented<ApiKey.ApiKey> = (key) => (ApiKey.hasExtra(key) ? ApiKey.extra(key) : none)

/**
 * Every documented member, the undocumented members as one column of JSON, and whether the key is revoked, which follows from `revoked_at`
 * (Spec: States, API key).
 */
export const apiKeys: Table<ApiKey.ApiKey> = {
  name: "keys",
  title: "API keys",
  columns: [
    { name: "id", label: "Key", kind: "integer", role: "id", get: (it) => it.id },
    { name: "name", label: "Name", kind: "text", get: (it) => it.name },
    {
      name: "scopes",
      label: "Scopes",
      kind: "text",
      wraps: true,
      get: (it) => it.scopes.join(" "),
      items: (key) => key.scopes,
    },
    { name: "created_at", label: "Created (UTC)", kind: "timestamp", get: (it) => it.created_at },
    { name: "last_used_at", label: "Last used (UTC)", kind: "timestamp", get: (it) => it.last_used_at },
    { name: "revoked_at", label: "Revoked (UTC)", kind: "timestamp", get: (it) => it.revoked_at },
    extraColumn(undocumented),
  ],
  printed: 6,
  json: (key) => key as unknown as Json.Json,
  onDemand: [
    {
      name: "revoked",
      label: "Revoked",
      kind: "boolean",
      isComputed: true,
      get: (key) => ApiKey.isRevoked(key),
    },
  ],
  undocumented: (key) => Object.keys(undocumented(key)),
  named: namedExtra(undocumented),
}

/**
 * The same table with columns that depend on the day: `age_days` since the key was created, and `unused_days` since it was last used, or since it
 * was created if it was never used. A revoked key is not counted as unused.
 */
export const apiKeysAt = (nowMillis: number): Table<ApiKey.ApiKey> => ({
  ...apiKeys,
  onDemand: [
    {
      name: "age_days",
      label: "Age (days)",
      kind: "integer",
      role: "count",
      isComputed: true,
      get: (key) => daysSince(key.created_at, nowMillis),
    },
    {
      name: "unused_days",
      label: "Unused for (days)",
      kind: "integer",
      role: "count",
      isComputed: true,
      get: (key) => (ApiKey.isRevoked(key) ? null : daysSince(key.last_used_at ?? key.created_at, nowMillis)),
    },
    ...apiKeys.onDemand,
  ],
})

export const apiKeyGroupings: ReadonlyArray<Grouping<ApiKey.ApiKey>> = [
  { label: "State", of: (key) => (ApiKey.isRevoked(key) ? "revoked" : "active") },
  { label: "Use", of: (key) => (key.last_used_at === null ? "never used" : "used") },
]
