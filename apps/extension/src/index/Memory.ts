/**
 * Reads the entries of the index when they are first needed, and stores them again from time to time, so that a background that wakes up need not
 * read every row. Rows that were written after they were last stored are read in addition.
 */
import { answered } from "./Database.ts"
import type { Database } from "./Database.ts"
import { Entries, textsOf, textsRecord } from "./Entries.ts"
import type { EntriesRecord, TextsRecord } from "./Entries.ts"
import { empty, readIndexMeta } from "./IndexMeta.ts"
import type { IndexMeta } from "./IndexMeta.ts"
import { textOf } from "./Row.ts"
import type { Row } from "./Row.ts"

/** A part of the entries as it was after a write: both parts have its number, because they are stored one after the other. */
interface Stored<A> {
  readonly sequence: number
  readonly record: A
}

/** Rows that the stored entries may lack: this many, and a tenth of the index. */
const rowsBeside = 2_000

/** Writes that are read at a time, each a part of a page or one contract. */
const writesAtOnce = 20

export interface Memory {
  readonly entries: () => Promise<Entries>
  /** The entries with their texts. No row may be written meanwhile. */
  readonly withTexts: () => Promise<Entries>
  /** Brings the entries up to date with what the background has written since, where another part of the extension reads them. */
  readonly follow: () => Promise<void>
  /** Applies rows that are being written. If the write fails, `forget` the entries. */
  readonly apply: (rows: ReadonlyArray<Row>) => void
  /** Stores the entries, if enough rows were written since they were last stored. */
  readonly keepIfDue: () => Promise<void>
  /** Stores the entries without these contracts. */
  readonly keepWithout: (ids: ReadonlyArray<number>) => Promise<void>
  /** Forgets the entries in memory. */
  readonly forget: () => void
}

export const make = (database: Database): Memory => {
  let reading: Promise<Entries> | null = null
  let current: Entries | null = null
  let beside = 0
  /** The index record that the entries were read with. */
  let readAt: IndexMeta = empty

  const stored = async <A>(name: "known" | "texts"): Promise<Stored<A> | undefined> =>
    (await database.get("compact", name)) as Stored<A> | undefined

  /** Gives the rows of later writes, some pages at a time. Returns the index record up to which they were given. */
  const eachAfter = async (
    sequence: number,
    take: (rows: ReadonlyArray<Row>) => void,
  ): Promise<IndexMeta> => {
    const meta = await readIndexMeta(database)
    for (let from = sequence + 1; from <= meta.sequence; from += writesAtOnce) {
      const range = IDBKeyRange.bound(from, from + writesAtOnce - 1)
      const contracts = (await database.reading("contracts")).objectStore("contracts")
      const rows: ReadonlyArray<Row> = await answered(contracts.index("seen").getAll(range))
      take(rows)
    }
    return meta
  }
  const read = async (): Promise<Entries> => {
    const before = await stored<EntriesRecord>("known")
    const entries = new Entries(before?.record)
    beside = 0
    readAt = await eachAfter(before?.sequence ?? 0, (rows) => {
      entries.apply(rows)
      beside += rows.length
    })
    current = entries
    return entries
  }
  const readTexts = async () => {
    const before = await stored<TextsRecord>("texts")
    const texts = before === undefined ? new Map<number, string>() : textsOf(before.record)
    await eachAfter(before?.sequence ?? 0, (rows) => {
      for (const row of rows) texts.set(row.id, textOf(row))
    })
    return texts
  }
  const forget = (): void => {
    reading = null
    current = null
  }
  const entries = (): Promise<Entries> => {
    reading ??= read()
    reading.catch(forget)
    return reading
  }
  const withTexts = async (): Promise<Entries> => {
    const known = await entries()
    known.texts ??= await readTexts()
    return known
  }
  const keep = async (): Promise<void> => {
    const entries = await withTexts()
    const { sequence } = await readIndexMeta(database)
    await database.put("compact", "texts", { sequence, record: textsRecord(entries.texts ?? new Map()) })
    await database.put("compact", "known", { sequence, record: entries.toRecord() })
    beside = 0
  }

  return {
    entries,
    withTexts,
    follow: async () => {
      if (reading === null) return
      const known = await reading
      const { completedAt, contracts, sequence } = await readIndexMeta(database)
      // A complete read removes contracts, and so does the user; rows that are gone have no write of their own.
      if (completedAt !== readAt.completedAt || contracts < readAt.contracts || sequence < readAt.sequence)
        forget()
      else if (sequence > readAt.sequence)
        readAt = await eachAfter(readAt.sequence, (rows) => known.apply(rows))
    },
    apply: (rows) => {
      current?.apply(rows)
      beside += rows.length
    },
    keepIfDue: async () => {
      if (beside > Math.max(rowsBeside, (current?.contracts ?? 0) / 10)) await keep()
    },
    keepWithout: async (ids) => {
      ;(await withTexts()).remove(ids)
      await keep()
    },
    forget,
  }
}
