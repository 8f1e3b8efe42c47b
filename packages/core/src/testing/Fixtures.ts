/**
 * Values for tests: records, and the summaries and pages of a read. Every member can be given; members that are not given are
 * those of valid records, in a short list that was read to its end. Exported by `@deedkit/core/testing`.
 */
import type { ApiKey } from "../ApiKey.ts"
import type { Contract, Listing } from "../Contract.ts"
import type { Page } from "../Page.ts"
import { unreadSummary } from "../Page.ts"
import type { ReadSummary } from "../Page.ts"

/** A listing summary as a contract embeds it. */
export const listing = (given: Partial<Listing> = {}): Listing => ({
  id: 3,
  slug: "sea-view-3",
  title: "Sea view",
  city: "Chania",
  area: "Halepa",
  ...given,
})

/** A valid contract without a listing. For one that is not as specified, spread it: `{ ...contract(), kind: null }`. */
export const contract = (given: Partial<Contract> = {}): Contract => ({
  id: 12,
  listing_id: null,
  kind: "rent",
  status: "active",
  created_at: "2026-01-01T09:30:00Z",
  updated_at: "2026-01-01T09:30:00Z",
  unit_id: null,
  unit_label: "2A",
  template_id: 3,
  listing: null,
  ...given,
})

/** The metadata of a valid API key that is not revoked and was never used. */
export const apiKey = (given: Partial<ApiKey> = {}): ApiKey => ({
  id: 5,
  name: "Nightly export",
  scopes: ["read:contracts"],
  created_at: "2026-01-01T09:30:00Z",
  last_used_at: null,
  revoked_at: null,
  ...given,
})

/** The summary of one page of contracts, proven complete. */
export const readSummary = (given: Partial<ReadSummary> = {}): ReadSummary => ({
  ...unreadSummary("contracts", given.startedAt ?? "2026-03-01T09:30:00.000Z"),
  pages: 1,
  requests: given.pages ?? 1,
  cursor: { parameter: "before_id", state: "single-page", evidence: null },
  complete: true,
  completeness: { state: "proven", reason: "one-page", readings: 1, differences: 0 },
  ...given,
})

/** The last page of a read, with these records. */
export const page = <A>(records: ReadonlyArray<A>, given: Partial<Page<A>> = {}): Page<A> => {
  const summary = given.summary ?? readSummary({ records: records.length })
  return {
    records,
    superseded: [],
    rejected: [],
    next: null,
    requestId: null,
    checkpoint: {
      version: 1,
      origin: "https://service.example.test",
      keyFingerprint: "0000000000000000",
      collection: summary.collection,
      next: null,
      recent: [],
      proof: null,
      summary,
    },
    summary,
    ...given,
  }
}
