/**
 * The confirmation of a cursor after an inconclusive page (Spec: Endpoints 5 does not show the parameter's name): a search for the name, if the
 * options allow it. Requests go through `probe`.
 */
import * as Effect from "effect/Effect"
import type { attemptedOf, ClientError } from "../../error/ClientError.ts"
import type { CursorFinding } from "./Probe.ts"
import type { Reason } from "../../error/Reason.ts"
import type { Reading } from "./Reading.ts"

export interface Searching {
  /** The name that the read began with. */
  readonly cursorParam: string
  /** Probes for the cursor's parameter, except the names in `excluded`; null where the options do not allow it. */
  readonly probe:
    | ((
        excluded: ReadonlyArray<string>,
        count: (calls: ReturnType<typeof attemptedOf>) => void,
      ) => Effect.Effect<CursorFinding, ClientError>)
    | null
}

/** The search for a name; null once this read has taken a name from it. */
export const searchOf = <A extends { readonly id: number }>(
  reading: Reading<A>,
  { cursorParam, probe }: Searching,
): ((excluded: ReadonlyArray<string>) => Effect.Effect<CursorFinding, ClientError>) | null =>
  probe === null || reading.verification.current.parameter !== cursorParam
    ? null
    : (excluded) => probe(excluded, (calls) => reading.count(calls))

/**
 * Handles an empty second page that is also the last: checks whether this parameter, or another one, leads to other records. Returns the reason
 * to stop if there are more records and no name leads to them. If that cannot be found out, the page is the end, and the cursor is unverified.
 */
export const confirmCursor = <A extends { readonly id: number }>(
  reading: Reading<A>,
  options: Searching,
): Effect.Effect<Reason | null, ClientError> => {
  const search = searchOf(reading, options)
  const unknown = (): null => {
    reading.verification.accept("the second page was empty and the last")
    return null
  }
  if (search === null) return Effect.sync(unknown)
  return Effect.map(search([]), (finding) => {
    switch (finding._tag) {
      case "Verified":
        if (finding.parameter === reading.verification.current.parameter)
          reading.verification.believe(finding.evidence)
        else reading.useCursorParam(finding.parameter, finding.evidence)
        return null
      case "CannotTell":
        return unknown()
      case "NoneWorks":
        return finding.records === 1 && reading.verification.firstSize > 1
          ? reading.verification.ignored({
              kind: "no-records",
              text: "the second page was empty, and no name of the parameter leads from the first record to the next one",
            })
          : unknown()
    }
  })
}
