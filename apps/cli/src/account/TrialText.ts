/** The trials of a key as text: what was tried, and how it answered. Pure. */
import type { Trial } from "@deedkit/core/checkup"
import * as Catalogue from "../failure/Catalogue.ts"

/** What was tried, in the words of tables and documents. */
export const nameOf = ({ endpoint }: Pick<Trial.Trial, "endpoint">): string =>
  endpoint === "api-keys" ? "API keys" : endpoint

/** How it answered. */
export const words = ({ error, scope }: Trial.Trial): string => {
  if (error === null) return "works"
  if (error.reason._tag !== "Forbidden") return `does not work: ${Catalogue.ofClient(error.reason).headline}`
  return scope === null
    ? "not allowed; the specification does not say which scope it needs"
    : `not allowed: the key lacks the scope ${scope}`
}
