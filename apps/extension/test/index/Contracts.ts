/** Contracts and syncs for the tests of the index, each one as specified. */
import type { Contract } from "@deedkit/core"
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
  return {
    id,
    listing_id: listing,
    kind,
    status,
    created_at: "2025-01-01T00:00:00Z",
    updated_at: traits.updated ?? "2026-01-01T00:00:00Z",
    unit_id: null,
    unit_label: unit,
    template_id: 1,
    listing:
      listing === null
        ? null
        : { id: listing, slug: traits.slug ?? `listing-${listing}`, title, city, area: "Baixa" },
  }
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
