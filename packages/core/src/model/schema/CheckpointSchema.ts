/**
 * Checkpoints as a Schema, for a file or a database. It checks every member, so it refuses more than the client does, which checks only the
 * members that it relies on. The read that resumes checks origin, key and list.
 */
import * as Schema from "effect/Schema"
import type { Checkpoint } from "../../pagination/Checkpoint.ts"
import type { ProofState } from "../../pagination/ProofState.ts"
import { SavedCursorSchema } from "./CursorSchema.ts"
import { ReadSummarySchema } from "./ReadSummarySchema.ts"

const { Boolean: Flag, Int, String: Text } = Schema

const ProofStateSchema: Schema.Codec<ProofState> = Schema.Struct({
  evidence: Schema.Struct({
    cursors: Int,
    steps: Int,
    position: Flag,
    lastId: Flag,
    nextId: Flag,
    pageNumber: Flag,
    idDown: Flag,
    idUp: Flag,
    updatedDown: Flag,
    updatedUp: Flag,
    named: Schema.NullOr(Schema.Finite),
  }),
  pass: Schema.Struct({
    isConnected: Flag,
    isContradicted: Flag,
    overlaps: Flag,
    pages: Int,
    largest: Int,
    behind: Int,
  }),
  versions: Schema.Array(Text),
  top: Schema.NullOr(Schema.Struct({ updatedAt: Text, ids: Schema.Array(Int) })),
})

/** Where a read can resume. Plain JSON: a value and its encoded form are the same. */
export const CheckpointSchema: Schema.Codec<Checkpoint> = Schema.Struct({
  version: Schema.Literal(2),
  origin: Text,
  keyFingerprint: Text,
  collection: Text,
  next: Schema.NullOr(SavedCursorSchema),
  recent: Schema.Array(Int),
  proof: Schema.NullOr(ProofStateSchema),
  summary: ReadSummarySchema,
})
