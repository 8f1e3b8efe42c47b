/**
 * An earlier export of contracts that a report is compared with, and what its manifest says about it: when and from where it was read, and whether it
 * holds every contract. Sends no requests.
 */
import { basename } from "node:path"
import { Account, apiKeys, contracts, ExportError } from "@deedkit/export"
import type { Diff } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as ExportedTable from "../diff/ExportedTable.ts"

export interface EarlierExport {
  /** The file name without its folder. */
  readonly name: string
  readonly content: Diff.Timed
  /** When and from where it was read, according to the manifest beside it; null if the manifest does not describe these bytes. */
  readonly source: {
    /** ISO 8601 UTC. */
    readonly startedAt: string
    readonly endedAt: string
    readonly origin: string
    /** Null for a key that belongs to no profile; undefined in a manifest of an earlier version. */
    readonly profile: string | null | undefined
    readonly account: Account.Account | null
  } | null
  /** Whether data payloads were read; null if unknown. */
  readonly hasData: boolean | null
  /** Why it is not known to hold every contract, in sentences; empty if it is. */
  readonly reasons: ReadonlyArray<string>
}

const namesOf = ({ columns }: { readonly columns: ReadonlyArray<{ readonly name: string }> }) =>
  columns.map(({ name }) => name)

/** Columns that only the other table has. */
const ofContracts = namesOf(contracts).filter((name) => !namesOf(apiKeys).includes(name))
const ofKeys = namesOf(apiKeys).filter((name) => !namesOf(contracts).includes(name))

const isOfKeys = (row: Diff.Row): boolean =>
  ofKeys.some((name) => name in row) && !ofContracts.some((name) => name in row)

const unknown = (reason: string): Omit<EarlierExport, "content" | "name"> => ({
  source: null,
  hasData: null,
  reasons: [reason],
})

/** What the manifest of a file says about it. */
const known = (path: string): Effect.Effect<Omit<EarlierExport, "content" | "name">> =>
  Effect.gen(function* () {
    const { verify } = yield* Effect.promise(() => import("@deedkit/export/run"))
    const { files, manifest } = yield* verify(path)
    if (files[0]?.state !== "matches") return unknown("It was changed after its export.")
    const table = manifest.tables.find((each) => each.table === contracts.name)
    const filters = Array.isArray(table?.filters) ? table.filters : []
    const { endedAt, origin, startedAt } = manifest
    const account = Account.fromJson(manifest.account as never)
    return {
      source: {
        startedAt,
        endedAt: typeof endedAt === "string" ? endedAt : startedAt,
        origin,
        profile: account?.profile,
        account,
      },
      hasData: table?.withoutData !== undefined,
      reasons: [
        ...(filters.length === 0 ? [] : [`It holds only contracts where ${filters.join(" and ")}.`]),
        ...(manifest.verdict === "complete"
          ? []
          : [`Its verdict is ${manifest.verdict}.`, ...manifest.reasons]),
      ].map((reason) => Account.clean(reason)),
    }
  }).pipe(
    Effect.catch(({ reason }) =>
      Effect.succeed(
        unknown(
          reason._tag === "FileMissing" ? "There is no manifest beside it." : "Its manifest cannot be read.",
        ),
      ),
    ),
  )

/** Reads a file of any format that can be read back. Fails as `export diff` does, and with `Unreadable` for an export of API keys. */
export const read = (path: string): Effect.Effect<EarlierExport, ExportError.ExportError> =>
  Effect.gen(function* () {
    const content = yield* ExportedTable.read(path)
    const [first] = content.rows
    if (first !== undefined && isOfKeys(first)) {
      const expected = "an export of contracts with the column id"
      return yield* new ExportError.ExportError({ reason: { _tag: "Unreadable", path, expected } })
    }
    return { name: Account.clean(basename(path)), content, ...(yield* known(path)) }
  })
