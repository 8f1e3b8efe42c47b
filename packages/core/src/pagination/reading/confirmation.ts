/**
 * What becomes of a read whose cursor is in doubt (Spec: Endpoints 5 does not show the parameter's name): a search for the name, where one
 * is wished for. Makes no request of its own, and judges no page.
 */
import * as Effect from "effect/Effect"
import type { attemptedOf, ClientError } from "../../error/ClientError.ts"
import type { CursorFinding } from "./Probe.ts"
import type { Reason } from "../../error/Reason.ts"
import type { Reading } from "./Reading.ts"

export interface Searching {
  /** The name that the read began with. */
  readonly cursorParam: string
  /** Looks for the name of the cursor's parameter, which none of `excluded` is. */
  readonly probe:
    | ((
        excluded: ReadonlyArray<string>,
        count: (calls: ReturnType<typeof attemptedOf>) => void,
      ) => Effect.Effect<CursorFinding, ClientError>)
    | null
}

/** The search for a name, as long as this read has not taken one from it. */
export const searchOf = <A extends { readonly id: number }>(
  reading: Reading<A>,
  { cursorParam, probe }: Searching,
): ((excluded: ReadonlyArray<string>) => Effect.Effect<CursorFinding, ClientError>) | null =>
  probe === null || reading.verification.current.parameter !== cursorParam
    ? null
    : (excluded) => probe(excluded, (calls) => reading.count(calls))

/**
 * The second page was empty and the last: looks whether the parameter leads to other records, or another one does. Gives the reason to stop
 * when there are more records and nothing leads to them. Where there is nothing to find it out by, the page is the end, and the read
 * unverified.
 */
export const lookInto = <A extends { readonly id: number }>(
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
