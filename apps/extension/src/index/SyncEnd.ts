/**
 * The end of a complete read: contracts that it has not seen are removed, or the read waits for a decision as a smaller list. The index record is
 * written last, so that an interrupted removal is repeated; a decision is written before its removal, for the same reason.
 */
import { answered, committed } from "./Database.ts"
import type { Database } from "./Database.ts"
import * as ChangeList from "./ChangeList.ts"
import * as Head from "./Head.ts"
import * as IndexMeta from "./IndexMeta.ts"
import type { Memory } from "./Entries.ts"
import type { Row } from "./Row.ts"

/** Most removals about which the user is never asked, unless nothing would be left: small accounts change by this many. */
const mostUnasked = 9

/**
 * Whether the user is asked before contracts are removed: when none would be left, or when at least ten would go and they are more than
 * those that stay. Such a list may be a fault of the service and not a change, because the specification does not say when a list is whole
 * (Spec: Endpoints 2).
 */
export const isAskedAbout = (left: number, gone: number): boolean =>
  gone > 0 && (left === 0 || (gone > mostUnasked && gone > left))

export interface SyncEnd {
  /** Ends a complete read. */
  readonly finish: (sync: IndexMeta.SyncRecord, completedAt: string) => Promise<void>
  /** Uses the smaller list with this id, or drops it. False if it no longer waits for a decision: nothing is changed then. */
  readonly decide: (id: string, isUsed: boolean) => Promise<boolean>
  /** Completes the removal that a decision has begun. False if there is none. */
  readonly settle: () => Promise<boolean>
}

/** Contracts that are removed in one transaction, so that none keeps a lookup waiting for long. */
const removedAtOnce = 500

export const make = (database: Database, memory: Memory): SyncEnd => {
  const change = async (
    changed: (meta: IndexMeta.IndexMeta) => IndexMeta.IndexMeta,
    endsSync: boolean,
  ): Promise<void> => {
    const transaction = await database.writing("meta")
    const meta = transaction.objectStore("meta")
    meta.put(changed((await answered(meta.get("index"))) ?? IndexMeta.empty), "index")
    if (endsSync) meta.delete("sync")
    await committed(transaction)
  }

  /** How many contracts were seen since the read began, and the ids of the others. */
  const compare = async ({ after }: IndexMeta.SyncRecord) => {
    const rows = (await database.reading("contracts")).objectStore("contracts").index("seen")
    const [left, gone] = await Promise.all([
      answered(rows.count(IDBKeyRange.lowerBound(after, true))),
      answered(rows.getAllKeys(IDBKeyRange.upperBound(after))),
    ])
    return { left, gone: gone.map(Number) }
  }

  const remove = async (
    sync: IndexMeta.SyncRecord,
    completedAt: string,
    gone: ReadonlyArray<number>,
    endsSync: boolean,
  ): Promise<void> => {
    await memory.keepWithout(gone)
    for (let at = 0; at < gone.length; at += removedAtOnce) {
      const removing = await database.writing("contracts", "meta")
      const contracts = removing.objectStore("contracts")
      const ids = gone.slice(at, at + removedAtOnce)
      const rows = await Promise.all(ids.map((id): Promise<Row | undefined> => answered(contracts.get(id))))
      const lost = rows.flatMap((row) => row?.contract ?? [])
      const changes = lost.map((contract) => ChangeList.between(contract, undefined, completedAt))
      await ChangeList.keep(removing.objectStore("meta"), changes)
      for (const id of ids) contracts.delete(id)
      await committed(removing)
    }
    const { contracts: left, listings } = await memory.entries()
    const counts = { contracts: left, listings }
    const rejected = sync.rejected + (sync.unstored ?? 0)
    const summary = sync.checkpoint === null ? {} : { summary: sync.checkpoint.summary }
    const head = Head.of(sync.first, sync.checkpoint?.summary)
    const ended = { ...counts, ...summary, completedAt, rejected, head, smaller: undefined }
    await change((before) => ({ ...before, ...ended }), endsSync)
  }

  /** Removes contracts. If that fails, the entries are forgotten, because they may lack contracts that are still there. */
  const removeOrForget: typeof remove = (...given) =>
    remove(...given).catch((cause: unknown) => {
      memory.forget()
      throw cause
    })

  const settle = async (): Promise<boolean> => {
    const { smaller } = await IndexMeta.readIndexMeta(database)
    if (!smaller?.isUsed) return false
    const { gone } = await compare(smaller.sync)
    await removeOrForget(smaller.sync, smaller.completedAt, gone, false)
    return true
  }

  return {
    finish: async (sync, completedAt) => {
      const { gone, left } = await compare(sync)
      if (!isAskedAbout(left, gone.length)) return removeOrForget(sync, completedAt, gone, true)
      const smaller = { id: crypto.randomUUID(), sync, completedAt, contracts: left }
      await change((before) => ({ ...before, smaller, head: undefined }), true)
    },
    decide: async (id, isUsed) => {
      const { smaller } = await IndexMeta.readIndexMeta(database)
      if (smaller?.id !== id || smaller.isUsed) return false
      const decided = isUsed ? { ...smaller, isUsed } : undefined
      await change((before) => ({ ...before, smaller: decided }), false)
      return isUsed ? settle() : true
    },
    settle,
  }
}
