/** The trials of a key as text: what was tried, and with what result. Pure. */
import type { Trial } from "@deedkit/core/checkup"
import * as Catalogue from "../failure/Catalogue.ts"

/** The name of what was tried, as tables and documents use it. */
export const nameOf = ({ endpoint }: Pick<Trial.Trial, "endpoint">): string =>
  endpoint === "api-keys" ? "API keys" : endpoint

/** The result of a trial. */
export const words = ({ error, scope }: Trial.Trial): string => {
  if (error === null) return "works"
  if (error.reason._tag !== "Forbidden") return `does not work: ${Catalogue.ofClient(error.reason).headline}`
  return scope === null
    ? "not allowed; the specification does not say which scope it needs"
    : `not allowed: the key lacks the scope ${scope}`
}
