/**
 * The two tables of the index in memory: read when they are first needed, updated as rows are written, and stored again from time to time.
 * Rows that were written after the tables were last stored are read in addition, so that a stopped background loses nothing.
 */
import { BadgeTable } from "./BadgeTable.ts"
import type { BadgeRecord } from "./BadgeTable.ts"
import { answered, committed } from "./Database.ts"
import type { Database } from "./Database.ts"
import type * as AppState from "../messages/AppState.ts"
import type { Change, ChangesAnswer } from "../messages/AppState.ts"
import * as IndexMeta from "./IndexMeta.ts"
import * as ChangeList from "./ChangeList.ts"
import * as Watched from "./Watched.ts"
import type { Row } from "./Row.ts"
import { TextTable } from "./TextTable.ts"
import type { TextBlock } from "./TextTable.ts"

/** Most rows that the stored tables may lack: a background that wakes up has to read these in addition. */
const rowsBeside = 2_000

/** Writes that are read at a time, each a part of a page or one contract. */
const writesAtOnce = 20

/** Blocks of text are stored under their numbers, in order; the badges under a name, which sorts after every number. */
const textBlocks = (): IDBKeyRange => IDBKeyRange.bound(0, Number.MAX_SAFE_INTEGER)
const badgesKey = "badges"
const changesKey = "changes"
const watchedKey = "watched"

interface Following {
  /** Applies rows that are being written. If the write fails, `forget` the tables. */
  readonly apply: (rows: ReadonlyArray<Row>) => void
  /** Whether a row is new, or has another update time; to be called before it is applied. */
  readonly isUpdated: (row: Row) => boolean
  readonly contracts: () => number
  readonly listings: () => number
}

export interface Tables {
  readonly badges: () => Promise<BadgeTable>
  readonly text: () => Promise<TextTable>
  /** The tables that are updated with what is written: the badges, and the text once it was asked for. */
  readonly following: () => Promise<Following>
  /** Stores both tables, if enough rows were written since they were last stored. */
  readonly keepIfDue: () => Promise<void>
  /** Stores both tables without these contracts. */
  readonly keepWithout: (ids: ReadonlyArray<number>) => Promise<void>
  /** Forgets the tables in memory. */
  readonly forget: () => void
}

export const make = (database: Database): Tables => {
  let badges: Promise<BadgeTable> | null = null
  let text: Promise<TextTable> | null = null
  let beside = 0

  /** Reads the rows that were written after the tables were stored, some pages at a time. */
  const eachBeside = async (take: (rows: ReadonlyArray<Row>) => void): Promise<number> => {
    const indexMeta = await readIndexMeta(database)
    let count = 0
    for (let from = indexMeta.tabledTo + 1; from <= indexMeta.sequence; from += writesAtOnce) {
      const range = IDBKeyRange.bound(from, from + writesAtOnce - 1)
      const contracts = (await database.reading("contracts")).objectStore("contracts")
      const rows: ReadonlyArray<Row> = await answered(contracts.index("seen").getAll(range))
      take(rows)
      count += rows.length
    }
    return count
  }
  const readBadges = async (): Promise<BadgeTable> => {
    const record = (await database.get("compact", badgesKey)) as BadgeRecord | undefined
    const table = new BadgeTable(record)
    beside = await eachBeside((rows) => table.apply(rows))
    return table
  }
  const readText = async (): Promise<TextTable> => {
    const compact = (await database.reading("compact")).objectStore("compact")
    const blocks: ReadonlyArray<TextBlock> = await answered(compact.getAll(textBlocks()))
    const table = new TextTable(blocks)
    await eachBeside((rows) => table.apply(rows))
    return table
  }
  const badgeTable = (): Promise<BadgeTable> => {
    badges ??= readBadges()
    badges.catch(forget)
    return badges
  }
  const textTable = (): Promise<TextTable> => {
    text ??= readText()
    text.catch(forget)
    return text
  }
  const forget = (): void => {
    badges = null
    text = null
    beside = 0
  }

  const keep = async (): Promise<void> => {
    const table = await badgeTable()
    for (const [number, block] of (await textTable()).takeChanged()) {
      await database.put("compact", number, block)
    }
    const transaction = await database.writing("compact", "meta")
    const meta = transaction.objectStore("meta")
    const indexMeta: IndexMeta.IndexMeta = (await answered(meta.get("index"))) ?? IndexMeta.empty
    meta.put({ ...indexMeta, tabledTo: indexMeta.sequence }, "index")
    if (table.isChanged) transaction.objectStore("compact").put(table.toRecord(), badgesKey)
    await committed(transaction)
    table.isChanged = false
    beside = 0
  }

  return {
    badges: badgeTable,
    text: textTable,
    following: async () => {
      const table = await badgeTable()
      const lines = await text
      return {
        apply: (rows) => {
          table.apply(rows)
          lines?.apply(rows)
          beside += rows.length
        },
        isUpdated: ({ id, updatedAt }) => table.updatedAt(id) !== updatedAt,
        contracts: () => table.contracts,
        listings: () => table.listings,
      }
    },
    keepIfDue: async () => {
      if (beside > rowsBeside) await keep()
    },
    keepWithout: async (ids) => {
      const [table, lines] = [await badgeTable(), await textTable()]
      table.remove(ids)
      lines.remove(ids)
      await keep()
    },
    forget,
  }
}

/** What has changed since the first complete read, stored beside the index record. */
export const readChanges = async (database: Database): Promise<ChangesAnswer> =>
  ((await database.get("meta", changesKey)) as ChangesAnswer | undefined) ?? ChangeList.none

/**
 * Stores further changes in the transaction that makes them; `meta` is its store with the index record. Watched contracts are marked, unless the
 * user looks at them (`isShown`).
 */
export const keepChanges = async (
  meta: IDBObjectStore,
  changes: ReadonlyArray<Change>,
  isShown = false,
): Promise<void> => {
  if (changes.length === 0) return
  const known: ChangesAnswer | undefined = await answered(meta.get(changesKey))
  meta.put(ChangeList.add(known ?? ChangeList.none, changes), changesKey)
  if (!isShown) await keepWatched(meta, (watched) => Watched.after(watched, changes))
}

/** The contracts that are watched, stored beside the index record. */
export const readWatched = async (database: Database): Promise<AppState.Watched> =>
  ((await database.get("meta", watchedKey)) as AppState.Watched | undefined) ?? Watched.none

/** Changes the watched contracts in a transaction; `meta` is its store with the index record. */
const keepWatched = async (
  meta: IDBObjectStore,
  changed: (watched: AppState.Watched) => AppState.Watched,
): Promise<void> => {
  meta.put(changed((await answered(meta.get(watchedKey))) ?? Watched.none), watchedKey)
}

export const changeWatched = async (
  database: Database,
  changed: (watched: AppState.Watched) => AppState.Watched,
): Promise<void> => {
  const transaction = await database.writing("meta")
  await keepWatched(transaction.objectStore("meta"), changed)
  await committed(transaction)
}

/** The index record; an empty one before the first write. */
export const readIndexMeta = async (database: Database): Promise<IndexMeta.IndexMeta> =>
  ((await database.get("meta", "index")) as IndexMeta.IndexMeta | undefined) ?? IndexMeta.empty

/** Rows by their ids, in that order; ids without a row are left out. */
export const rowsOf = async (database: Database, ids: ReadonlyArray<number>): Promise<ReadonlyArray<Row>> => {
  if (ids.length === 0) return []
  const contracts = (await database.reading("contracts")).objectStore("contracts")
  const rows: ReadonlyArray<Row | undefined> = await Promise.all(ids.map((id) => answered(contracts.get(id))))
  return rows.filter((row) => row !== undefined)
}
