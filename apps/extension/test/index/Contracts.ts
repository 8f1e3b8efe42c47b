/** Contracts and syncs for the tests of the index, each one as specified. */
import type { Contract } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import type { SyncRecord } from "../../src/index/IndexMeta.ts"

export interface Traits {
  readonly status?: string
  readonly kind?: string
  readonly unit?: string
  readonly updated?: string
  /** Id of the listing; its slug is `listing-` and the id. Null for none. */
  readonly listing?: number | null
  readonly slug?: string
  readonly title?: string
  readonly city?: string
}

export const contract = (id: number, traits: Traits = {}): Contract.Contract => {
  const {
    city = "Lisbon",
    kind = "rent",
    listing = 10,
    status = "draft",
    title = "A flat",
    unit = "1A",
  } = traits
  return Fixtures.contract({
    id,
    listing_id: listing,
    kind,
    status,
    updated_at: traits.updated ?? "2026-01-01T00:00:00Z",
    unit_label: unit,
    listing:
      listing === null
        ? null
        : Fixtures.listing({ id: listing, slug: traits.slug ?? `listing-${listing}`, title, city }),
  })
}

export const sync = (fields: Partial<SyncRecord> = {}): SyncRecord => ({
  startedAt: "2026-03-01T09:00:00Z",
  after: 0,
  pages: 0,
  records: 0,
  rejected: 0,
  checkpoint: null,
  expected: null,
  failures: 0,
  notBefore: 0,
  pause: null,
  ...fields,
})
