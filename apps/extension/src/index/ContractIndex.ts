/**
 * The index of all contracts: what a sync writes, beside what is read of it. A contract is removed when a complete sync
 * has not seen it, and never before. Writes run one after the other; a page may take several transactions, and its sync is written with the
 * last of its rows, so that an interrupted page is synced again. Knows nothing of the service or its errors.
 */
import { Json } from "@deedkit/core"
import type { Contract } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Watched } from "../messages/AppState.ts"
import { answered, committed, indexStores } from "./Database.ts"
import type { Database } from "./Database.ts"
import * as ChangeList from "./ChangeList.ts"
import { makeMemory } from "./Entries.ts"
import type { Entries } from "./Entries.ts"
import * as Head from "./Head.ts"
import * as IndexMeta from "./IndexMeta.ts"
import * as Row from "./Row.ts"
import * as ContractReads from "./ContractReads.ts"
import * as Watch from "./Watched.ts"
import * as SyncEnd from "./SyncEnd.ts"

interface SyncedPage {
  readonly contracts: ReadonlyArray<Contract.Contract>
  /** Ids of contracts that were not as specified: what is known about them stays, with its age. */
  readonly invalidIds: ReadonlyArray<number>
  /** ISO 8601 UTC. */
  readonly seenAt: string
  /** The sync including this page. */
  readonly sync: IndexMeta.SyncRecord
}

interface Written {
  readonly rows: ReadonlyArray<Row.Row>
  readonly unstored: number
  /** The sync as it was stored, if it was. */
  readonly sync: IndexMeta.SyncRecord | undefined
}

export interface ContractIndex extends ContractReads.ContractReads, SyncEnd.SyncEnd {
  readonly sync: () => Promise<IndexMeta.SyncRecord | null>
  /** Changes which contracts are watched, and which of them have changed. */
  readonly changeWatched: (changed: (watched: Watched) => Watched) => Promise<void>
  /** Stores the progress of a sync, or that there is none. */
  readonly setSync: (sync: IndexMeta.SyncRecord | null) => Promise<void>
  /** Returns the sync as it was stored: with the count of contracts that cannot be stored because they nest too deeply. */
  readonly putPage: (page: SyncedPage) => Promise<IndexMeta.SyncRecord>
  /** Writes what is new on a further first page, and whether first pages can be trusted from now on. Returns whether anything was new. */
  readonly putHead: (before: Head.Head, page: Head.HeadPage) => Promise<boolean>
  /** Writes contracts that the user looks at; returns their rows. */
  readonly putSome: (
    contracts: ReadonlyArray<Contract.Contract>,
    seenAt: string,
  ) => Promise<ReadonlyArray<Row.Row>>
  readonly clear: () => Promise<void>
}

/** Most contracts that are looked for on a first page. */
const mostExpected = 2_000

/** Contracts that are written in one transaction, so that none keeps a lookup waiting for long. */
const writtenAtOnce = 200

export const make = (database: Database): ContractIndex => {
  const memory = makeMemory(database)
  const syncEnd = SyncEnd.make(database, memory)
  const oneAtATime = Semaphore.makeUnsafe(1)

  /** Runs writes one after the other. */
  const inTurn = <A>(write: () => Promise<A>): Promise<A> =>
    Effect.runPromise(oneAtATime.withPermit(Effect.promise(write)))

  /** Writes rows, the index record and, when given, the sync in one transaction. */
  const write = async (
    contracts: ReadonlyArray<Contract.Contract>,
    invalidIds: ReadonlyArray<number>,
    seenAt: string,
    sync?: IndexMeta.SyncRecord,
    isShown?: boolean,
  ): Promise<Written> => {
    const entries = await memory.entries()
    const transaction = await database.writing("contracts", "meta")
    const kept = committed(transaction)
    const store = transaction.objectStore("contracts")
    const meta = transaction.objectStore("meta")
    const indexMeta: IndexMeta.IndexMeta = (await answered(meta.get("index"))) ?? IndexMeta.empty
    const sequence = indexMeta.sequence + 1
    const rows = contracts.filter(Row.isStorable).map((contract) => Row.make(contract, sequence, seenAt))
    // Before the first complete read everything is new. The entries show what is updated without a read of the database.
    const isUpdated = ({ id, updatedAt }: Row.Row) => entries.updatedAt(id) !== updatedAt
    const updated = indexMeta.completedAt === null ? [] : rows.filter(isUpdated)
    const before = await Promise.all(
      updated.map(({ id }): Promise<Row.Row | undefined> => answered(store.get(id))),
    )
    const changes = updated.map(({ contract }, at) =>
      ChangeList.between(before[at]?.contract, contract, seenAt),
    )
    await ChangeList.keep(meta, changes, isShown)
    for (const row of rows) store.put(row)
    const aside = contracts.filter((contract) => !Row.isStorable(contract)).map(({ id }) => id)
    for (const id of [...invalidIds, ...aside]) {
      const row: Row.Row | undefined = await answered(store.get(id))
      if (row !== undefined) store.put({ ...row, seen: sequence })
    }
    const counted = sync && withUnstored(sync, aside.length)
    if (counted !== undefined) meta.put(counted, "sync")
    memory.apply(rows)
    const counts = { contracts: entries.contracts, listings: entries.listings }
    meta.put({ ...indexMeta, ...counts, sequence }, "index")
    try {
      await kept
    } catch (cause) {
      memory.forget()
      throw cause
    }
    return { rows, unstored: aside.length, sync: counted }
  }

  /** The entries with their texts, which are read between two writes, and only once. */
  const withTexts = async (): Promise<Entries> => {
    const entries = await memory.entries()
    return entries.texts === null ? inTurn(memory.withTexts) : entries
  }

  /** Ids of known contracts that come before a place of the list; more than a page holds are too many anyway. */
  const idsBefore = async (head: Head.Head, end: number): Promise<ReadonlyArray<number>> => {
    const contracts = (await database.reading("contracts")).objectStore("contracts")
    const places = head.order === "new" ? contracts : contracts.index("updatedAt")
    const ids = await answered(places.getAllKeys(IDBKeyRange.lowerBound(end, true), mostExpected))
    return ids.map(Number)
  }

  const putHead = async (before: Head.Head, page: Head.HeadPage): Promise<boolean> => {
    const expected = await idsBefore(before, Head.endOf(before, page))
    const head = Head.after(before, page, expected)
    const known = new Map(
      (
        await Row.read(
          database,
          page.contracts.map(({ id }) => id),
        )
      ).map((row) => [row.id, row.contract]),
    )
    const news = page.contracts.filter((contract) => {
      const row = known.get(contract.id)
      return row === undefined || Json.stringify(row) !== Json.stringify(contract)
    })
    if (news.length > 0) await write(news, [], new Date(page.at).toISOString())
    const transaction = await database.writing("meta")
    const meta = transaction.objectStore("meta")
    const indexMeta: IndexMeta.IndexMeta = (await answered(meta.get("index"))) ?? IndexMeta.empty
    // A complete read that has ended meanwhile takes precedence.
    if (indexMeta.head?.at === before.at) meta.put({ ...indexMeta, head }, "index")
    await committed(transaction)
    await memory.keepIfDue()
    return news.length > 0
  }

  return {
    ...ContractReads.make(database, { entries: memory.entries, withTexts }),
    sync: async () => ((await database.get("meta", "sync")) as IndexMeta.SyncRecord | undefined) ?? null,
    changeWatched: (changed) => Watch.change(database, changed),
    setSync: (sync) =>
      inTurn(() => (sync === null ? database.remove("meta", "sync") : database.put("meta", "sync", sync))),
    putPage: ({ contracts, invalidIds, seenAt, sync }) =>
      inTurn(async () => {
        let at = 0
        let counted = sync
        for (; at + writtenAtOnce < contracts.length; at += writtenAtOnce) {
          const { unstored } = await write(contracts.slice(at, at + writtenAtOnce), [], seenAt)
          counted = withUnstored(counted, unstored)
        }
        const last = await write(contracts.slice(at), invalidIds, seenAt, counted)
        await memory.keepIfDue()
        return last.sync ?? counted
      }),
    putHead: (before, page) => inTurn(() => putHead(before, page)),
    putSome: (contracts, seenAt) =>
      inTurn(async () =>
        contracts.length === 0 ? [] : (await write(contracts, [], seenAt, undefined, true)).rows,
      ),
    finish: (sync, completedAt) => inTurn(() => syncEnd.finish(sync, completedAt)),
    decide: (id, isUsed) => inTurn(() => syncEnd.decide(id, isUsed)),
    settle: () => inTurn(syncEnd.settle),
    clear: () =>
      inTurn(async () => {
        await database.clear(...indexStores)
        memory.forget()
      }),
  }
}

const withUnstored = (sync: IndexMeta.SyncRecord, more: number): IndexMeta.SyncRecord =>
  more === 0 ? sync : { ...sync, unstored: (sync.unstored ?? 0) + more }
