/**
 * API-key metadata as a table (Spec: Resources, API key): the one place where a key record becomes columns. The records never hold a
 * secret, so no file can.
 */
import { ApiKey } from "@deedkit/core"
import type { Table } from "../Table.ts"

/** Every documented member, and whether the key is revoked, which the record says by `revoked_at` (Spec: States, API key). */
export const apiKeys: Table<ApiKey.ApiKey> = {
  name: "keys",
  title: "API keys",
  columns: [
    { name: "id", label: "Key", kind: "integer", get: (key) => key.id },
    { name: "name", label: "Name", kind: "text", get: (key) => key.name },
    { name: "scopes", label: "Scopes", kind: "text", get: (key) => key.scopes.join(" ") },
    { name: "created_at", label: "Created (UTC)", kind: "timestamp", get: (key) => key.created_at },
    { name: "last_used_at", label: "Last used (UTC)", kind: "timestamp", get: (key) => key.last_used_at },
    { name: "revoked_at", label: "Revoked (UTC)", kind: "timestamp", get: (key) => key.revoked_at },
  ],
  onDemand: [
    { name: "revoked", label: "Revoked", kind: "boolean", get: (key) => ApiKey.isRevoked(key) },
    {
      name: "extra",
      label: "Other members (JSON)",
      kind: "json",
      get: (key) => {
        const extra = ApiKey.extra(key)
        return Object.keys(extra).length === 0 ? null : extra
      },
    },
  ],
}
