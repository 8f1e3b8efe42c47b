/** Saves the contracts of a world where the pages of a scene read them: in the databases of the gallery's origin, before a page is opened. */
import { Contract as Contracts } from "@deedkit/core"
import type { Contract, Json } from "@deedkit/core"
import * as AccountList from "../../../src/index/AccountList.ts"
import * as ContractIndex from "../../../src/index/ContractIndex.ts"
import * as Database from "../../../src/index/Database.ts"
import type { ContractDetail } from "../../../src/index/PageIndex.ts"
import type { World } from "../desk/FakeBackground.ts"

const specified = new Set<string>([
  ...Contracts.members,
  ...Contracts.listingMembers.map((name) => `listing.${name}`),
])

/** The records that details were made of. Those with the same slug are of the same listing. */
const contractsOf = (details: ReadonlyArray<ContractDetail>): ReadonlyArray<Contract.Contract> => {
  const listings = new Map<string, number>()
  return details.map(({ fields, row }) => {
    const text = new Map(fields.map(({ name, value }) => [name, value ?? ""]))
    const { city, id, kind, listingId, slug, status, title, unitLabel, updatedAt } = row
    const listing = slug === null || listingId === null ? null : (listings.get(slug) ?? listingId)
    if (slug !== null && listing !== null) listings.set(slug, listing)
    const extra = fields.flatMap(({ name, value }) =>
      specified.has(name) || value === null ? [] : [[name, JSON.parse(value) as Json.Json] as const],
    )
    return {
      id,
      listing_id: listing,
      kind,
      status,
      created_at: text.get("created_at")!,
      updated_at: updatedAt,
      unit_id: Number(text.get("unit_id")),
      unit_label: unitLabel,
      template_id: 12,
      listing:
        listing === null
          ? null
          : { id: listing, slug: slug!, title: title!, city: city!, area: text.get("listing.area")! },
      ...Object.fromEntries(extra),
    }
  })
}

const clear = async (): Promise<void> => {
  for (const { name } of await indexedDB.databases()) await Database.answered(indexedDB.deleteDatabase(name!))
}

const seed = async ({ answers, contracts, state }: World): Promise<void> => {
  await clear()
  const databaseOf = Database.each()
  const { account: current, accounts, settings, sites } = state
  const list: AccountList.AccountList = {
    accounts: accounts.map((account) => Object.assign({ cursorParam: null }, account)),
    current,
    settings,
    sites,
  }
  await databaseOf(Database.firstAccount).put("settings", AccountList.key, list)
  const database = databaseOf(current)
  const startedAt = contracts[0]?.seenAt ?? new Date().toISOString()
  await ContractIndex.make(database).putPage({
    contracts: contractsOf(contracts),
    invalidIds: [],
    seenAt: startedAt,
    sync: {
      startedAt,
      after: 0,
      pages: 1,
      records: contracts.length,
      rejected: 0,
      checkpoint: null,
      expected: null,
      failures: 0,
      notBefore: null,
      pause: null,
    },
  })
  const changes = answers["index.changes"]
  if (changes !== undefined) await database.put("meta", "changes", changes)
}

const saving = { clear, seed }

export type Saving = typeof saving

Object.assign(globalThis, { saving })
