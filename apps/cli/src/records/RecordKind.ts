/**
 * The two kinds of records, with their nouns, table and operations, so that commands are written once for both.
 */
import { ApiKey, Contract } from "@deedkit/core"
import type { Json, PropertyClient } from "@deedkit/core"
import { apiKeys as keyTable, apiKeysAt, contracts as contractTable } from "@deedkit/export"
import type { Table } from "@deedkit/export"
import type { RecordSource, SourceList } from "../session/RecordSource.ts"

export interface RecordKind<A extends { readonly id: number }> {
  /** As in commands: `contracts`, `keys`. */
  readonly name: "contracts" | "keys"
  readonly one: string
  readonly many: string
  readonly table: Table.Table<A>
  /** The table with columns that depend on the current time, in milliseconds since 1970. */
  readonly tableAt: (nowMillis: number) => Table.Table<A>
  /** Names of the columns that a list shows by default. */
  readonly shown: ReadonlyArray<string>
  /** The members that the specification does not name. */
  readonly extra: (record: A) => { readonly [member: string]: Json.Json }
  readonly records: (
    client: PropertyClient.Service,
  ) => PropertyClient.Records<A, PropertyClient.GetContractOptions>
  /** The list to read, from the service or from a mirror. */
  readonly list: (source: RecordSource) => SourceList<A>
}

export const contracts: RecordKind<Contract.Contract> = {
  name: "contracts",
  one: "contract",
  many: "contracts",
  table: contractTable,
  tableAt: () => contractTable,
  shown: ["id", "status", "kind", "unit_label", "listing.title", "listing.city", "updated_at"],
  extra: Contract.extra,
  records: (client) => client.contracts,
  list: (source) => source.contracts,
}

export const keys: RecordKind<ApiKey.ApiKey> = {
  name: "keys",
  one: "API key",
  many: "API keys",
  table: keyTable,
  tableAt: apiKeysAt,
  shown: ["id", "name", "scopes", "last_used_at", "revoked_at"],
  extra: ApiKey.extra,
  records: (client) => client.apiKeys,
  list: (source) => source.apiKeys,
}
