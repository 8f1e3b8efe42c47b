/**
 * A digest as a workbook: a cover with the counts, a sheet with a row for each member that changed, and one with a row for each account. The workbook
 * writer stores every text as text, so that no cell is evaluated.
 */
import type { Change, Collection } from "@deedkit/sync"
import { cutText, Fit } from "@deedkit/export"
import type { ExportError, Table } from "@deedkit/export"
import { xlsx } from "@deedkit/export-xlsx/format"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { version } from "../../../command/Version.ts"
import type { AccountChanges, Difference, Digest } from "./Digest.ts"
import * as Digests from "./Digest.ts"
import * as DigestCover from "./DigestCover.ts"

/** A member that changed, or a whole record. */
interface Row {
  readonly change: Change
  readonly facts: Digests.Facts
  readonly difference: Difference | null
}

const rowsOf = (change: Change): ReadonlyArray<Row> => {
  const facts = Digests.factsOf(change)
  const differences = facts.differences.length === 0 ? [null] : facts.differences
  return differences.map((difference) => ({ change, facts, difference }))
}

const changesTable: Table.Table<Row> = {
  name: "changes",
  title: "Changes",
  columns: [
    { name: "account", label: "Account", kind: "text", get: ({ change }) => change.account },
    { name: "record", label: "Record", kind: "text", get: ({ change }) => Digests.nounOf(change) },
    { name: "id", label: "Id", kind: "integer", role: "id", get: ({ change }) => change.id },
    { name: "name", label: "Name", kind: "text", get: ({ facts }) => facts.label },
    {
      name: "change",
      label: "Change",
      kind: "text",
      tones: { added: "good", removed: "muted" },
      get: ({ change }) => change.change,
    },
    {
      name: "unusual",
      label: "Unusual",
      kind: "text",
      tones: { unusual: "attention" },
      get: ({ facts }) => (facts.isUnusual ? "unusual" : null),
    },
    { name: "member", label: "What", kind: "text", get: ({ difference }) => difference?.member ?? null },
    { name: "before", label: "Before", kind: "text", get: ({ difference }) => difference?.before ?? null },
    { name: "after", label: "After", kind: "text", get: ({ difference }) => difference?.after ?? null },
    {
      name: "seen_at",
      label: "First seen (UTC)",
      kind: "timestamp",
      get: ({ change }) => change.seenAt,
    },
  ],
  onDemand: [],
}

const firstRead = ({ lists }: AccountChanges, collection: Collection): number =>
  lists.reduce((sum, list) => sum + (list.collection === collection ? list.firstRead : 0), 0)

const accountsTable: Table.Table<AccountChanges> = {
  name: "accounts",
  title: "Accounts",
  columns: [
    { name: "account", label: "Account", kind: "text", get: ({ account }) => account },
    ...([...Digests.kinds, "unusual"] as const).map(
      (kind) =>
        ({
          name: kind,
          label: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
          kind: "integer",
          role: "count",
          get: (account: AccountChanges) => Digests.countsOf(Digests.changesOf(account))[kind],
        }) as const,
    ),
    {
      name: "first_contracts",
      label: "Contracts read for the first time",
      kind: "integer",
      role: "count",
      get: (account) => firstRead(account, "contracts"),
    },
    {
      name: "first_keys",
      label: "API keys read for the first time",
      kind: "integer",
      role: "count",
      get: (account) => firstRead(account, "api-keys"),
    },
  ],
  onDemand: [],
}

const rowsOfPage = 1_000

/** Writes the bytes of the workbook. A text that is too long for a cell is cut. */
export const write = <E>(
  digest: Digest,
  put: (bytes: Uint8Array) => Effect.Effect<void, E>,
): Effect.Effect<void, E | ExportError.ExportError, Scope.Scope> =>
  Effect.gen(function* () {
    const writer = yield* Effect.promise(() => xlsx.writer())
    const accounts = Digests.accountsOf(digest)
    const file = yield* writer.open<E>({
      write: put,
      cover: () => DigestCover.make(digest, accounts),
      document: () => ({ title: "Changes", madeBy: `deedkit ${version}`, createdAt: digest.until }),
    })
    const sheetOf = <A>(table: Table.Table<A>) =>
      Fit.begin(file, writer.format, table, { onLongText: cutText })
    const changes = yield* sheetOf(changesTable)
    const all = Digests.changesOf(digest)
    for (let at = 0; at < all.length; at += rowsOfPage)
      yield* changes.add(all.slice(at, at + rowsOfPage).flatMap(rowsOf))
    yield* changes.end
    const perAccount = yield* sheetOf(accountsTable)
    yield* perAccount.add(accounts)
    yield* perAccount.end
    yield* file.end
  })
