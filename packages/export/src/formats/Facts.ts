/** Facts about JSON and NDJSON, separate from their writers, which are loaded later. */
import type { Format } from "../write/Format.ts"
import { unlimited } from "../write/Format.ts"

export const json: Format<"json"> = {
  name: "json",
  extensions: ["json"],
  mediaType: "application/json",
  sheets: "one",
  limits: unlimited,
  holdsRecords: true,
}

export const ndjson: Format<"ndjson"> = {
  name: "ndjson",
  extensions: ["ndjson"],
  mediaType: "application/x-ndjson",
  sheets: "one",
  limits: unlimited,
  holdsRecords: true,
}
