/** The summary of a read as a Schema: as pages, checkpoints, events and errors carry it. */
import * as Schema from "effect/Schema"
import type { ReadSummary } from "../../pagination/ReadSummary.ts"

const text = Schema.String
const int = Schema.Int

/** The summary of a read. Plain JSON: a value and its encoded form are the same. */
export const ReadSummarySchema: Schema.Codec<ReadSummary> = Schema.Struct({
  collection: text,
  startedAt: text,
  endedAt: text,
  resumed: Schema.NullOr(
    Schema.Struct({
      pausedAt: text,
      resumedAt: text,
      records: int,
      changed: int,
      mayRepeat: Schema.Boolean,
    }),
  ),
  pages: int,
  records: int,
  duplicates: int,
  repeats: int,
  supersededDuplicates: int,
  rejected: int,
  changedDuringRead: int,
  requests: int,
  retries: int,
  waitedMillis: Schema.Finite,
  limit: Schema.NullOr(int),
  clampedTo: Schema.NullOr(int),
  idOrder: Schema.Literals(["unknown", "descending", "ascending", "mixed"]),
  anomalies: Schema.Record(text, int),
  cursor: Schema.Struct({
    parameter: text,
    state: Schema.Literals(["unverified", "verified", "single-page"]),
    evidence: Schema.NullOr(text),
  }),
  cursorMeaning: Schema.Literals([
    "none",
    "position",
    "position-or-id",
    "last-id",
    "next-id",
    "page-number",
    "opaque",
  ]),
  orderedBy: Schema.Literals(["id", "updated-down", "updated-up", "unknown"]),
  complete: Schema.Boolean,
  completeness: Schema.Struct({
    state: Schema.Literals(["proven", "confirmed", "unverified"]),
    reason: Schema.Literals([
      "one-page",
      "linked-pages",
      "second-reading",
      "moving",
      "contradiction",
      "single-reading",
      "reading-failed",
      "cursor-unverified",
      "resumed",
      "unfinished",
    ]),
    readings: int,
    differences: int,
  }),
})
