/**
 * Values that tests of tools need and that nobody wants to write out: summaries, pages and answers of a read. Every member can be given;
 * the others are those of a short list that was read to its end.
 */
import type { Page } from "../pagination/Page.ts"
import type { RecordedPage } from "../pagination/Recording.ts"
import type { ReadSummary } from "../pagination/ReadSummary.ts"

/** The summary of one page of contracts, proven complete. */
export const readSummary = (given: Partial<ReadSummary> = {}): ReadSummary => {
  const startedAt = given.startedAt ?? "2026-03-01T09:30:00.000Z"
  return {
    collection: "contracts",
    startedAt,
    endedAt: startedAt,
    resumed: null,
    pages: 1,
    records: 0,
    duplicates: 0,
    repeats: 0,
    supersededDuplicates: 0,
    rejected: 0,
    changedDuringRead: 0,
    requests: given.pages ?? 1,
    retries: 0,
    waitedMillis: 0,
    limit: null,
    clampedTo: null,
    ordering: "unknown",
    anomalies: {},
    cursor: { parameter: "before_id", state: "single-page", evidence: null },
    cursorMeaning: "none",
    order: "unknown",
    complete: true,
    completeness: { state: "proven", reason: "one-page", readings: 1, differences: 0 },
    ...given,
  }
}

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
      version: 2,
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

/** The answer to the first request of a read, as a recording keeps it. */
export const recordedPage = (body: string, given: Partial<RecordedPage> = {}): RecordedPage => ({
  body,
  requestId: null,
  cursorParam: "before_id",
  sent: null,
  limit: null,
  answeredAt: "2026-03-01T09:30:00.000Z",
  tookMillis: 0,
  serviceDate: null,
  resumedAt: null,
  requests: 1,
  retries: 0,
  waitedMillis: 0,
  ...given,
})
