/** Reads rows that only the store in PostgreSQL has, and makes values that PostgreSQL can hold. Pure. */
import { heldOf, textOrNull } from "@deedkit/sync/store"
import type { Gone, Held } from "@deedkit/sync/store"
import type { Row } from "./Connection.ts"

/** A text that PostgreSQL accepts: it refuses NUL, and UTF-8 has no lone surrogates. */
export const writable = (value: string): string => value.replaceAll("\0", "\uFFFD").toWellFormed()

/** The current row that was found for a record; null for none. */
export const heldIn = (row: Row): Held | null => (row["version"] === null ? null : heldOf(row))

/** The removal that was found for a record; null for none. */
export const goneIn = (row: Row): Gone | null =>
  row["removal"] === null
    ? null
    : {
        version: Number(row["removal"]),
        body: textOrNull(row["body_before"]),
        data: textOrNull(row["data_before"]),
      }
