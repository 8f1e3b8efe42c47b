/**
 * Findings from a few pages of a list: sizes, limit, cursor, order, end. Each of these is open in the specification
 * (Spec: Endpoints 5, 6; Limits 2). Pure: pages in, findings out.
 */
import type { ClientError, Cursor, Page, Probe } from "@deedkit/core"
import { count } from "../terminal/Figures.ts"
import type { Finding } from "./Finding.ts"
import * as Findings from "./Finding.ts"
import { isUsedUp } from "./ObservedAnswers.ts"
import { nouns } from "../terminal/ClosingLine.ts"
import * as Catalogue from "../failure/Catalogue.ts"

export type AnyPage = Page<{ readonly id: number }>

const finding = Findings.of("Lists")
const ofRecords = Findings.of("Records")

export const sizeOf = ({ rejected, records }: AnyPage): number => records.length + rejected.length

const refusedLimit = ({ summary }: AnyPage): boolean => (summary.anomalies["limit-rejected"] ?? 0) > 0

const many = ({ summary }: AnyPage, number: number): string => {
  const noun = nouns[summary.collection]
  return count(number, noun.one, noun.many)
}

/** A page that was asked for without a limit. */
export const defaultSize = (page: AnyPage): Finding =>
  page.next === null
    ? finding("page size", `all ${many(page, sizeOf(page))} came on one page`, "unknown", {
        setting: "--page-size",
      })
    : finding("page size", `${sizeOf(page)} without a limit`, "verified", { setting: "--page-size" })

/** A page that was asked for with `limit=1`. */
export const smallLimit = (page: AnyPage): Finding => {
  const about = "limit"
  const size = sizeOf(page)
  if (refusedLimit(page))
    return finding(about, "limit=1 is rejected; lists are read without a limit", "verified")
  if (size === 0) return finding(about, "no records", "unknown")
  return size === 1
    ? finding(about, "obeyed", page.next === null ? "unknown" : "verified", {
        evidence: "limit=1 gave one record",
      })
    : finding(about, `ignored: limit=1 gave ${size} records`, "verified")
}

/** A page that was asked for with a large limit. */
export const largeLimit = (page: AnyPage, asked: number): Finding => {
  const about = "largest page"
  const setting = "--page-size"
  const size = sizeOf(page)
  if (refusedLimit(page)) {
    return finding(about, `limit=${asked} is rejected; the maximum is not specified`, "verified", {
      setting,
    })
  }
  if (size > asked) return finding(about, `limit=${asked} has no effect`, "verified", { setting })
  if (size === asked) return finding(about, `at least ${asked}`, "verified", { setting })
  return page.next === null
    ? finding(about, `limit=${asked} is accepted, and all ${many(page, size)} came`, "unknown", {
        setting,
      })
    : finding(about, `${size}: limit=${asked} gave ${size} and more to come`, "verified", { setting })
}

/** The type of a cursor, `null` for one that was not seen. */
export const cursorType = (cursor: Cursor.Cursor | null): Finding => {
  const about = "cursor type"
  if (cursor === null) return finding(about, "no cursor came", "unknown")
  if (typeof cursor === "bigint") return finding(about, "integer beyond 2^53", "verified")
  if (typeof cursor === "number") return finding(about, "integer", "verified")
  return finding(about, /^\d+$/.test(cursor) ? "text of digits" : "text", "verified")
}

const setting = "--cursor-param"

/** How the second page of a read came to be. `assumed` is the name that the read began with. */
export const cursorParameter = (page: AnyPage, assumed: string): Finding => {
  const about = "cursor parameter"
  const { evidence, parameter, state } = page.summary.cursor
  if (state !== "verified") {
    return finding(about, `${parameter}: no second page with records came`, "assumed", {
      setting,
    })
  }
  const answer = parameter === assumed ? parameter : `${parameter}; ${assumed} has no effect`
  return finding(about, answer, "verified", { evidence, setting })
}

/** Whether an error is about the cursor parameter. */
export const isAboutCursor = ({ reason }: ClientError.ClientError): boolean =>
  reason._tag === "CursorIgnored" || reason._tag === "CursorRejected"

/**
 * The cursor did not work. `found` is the result of a search for another name, null without one; `isCutShort`: not every name was tried.
 */
export const cursorFailed = (
  error: ClientError.ClientError,
  assumed: string,
  found: Probe.CursorFinding | null,
  isCutShort: boolean,
): Finding => {
  const about = "cursor parameter"
  if (found?._tag === "Verified") {
    return finding(about, `${assumed} has no effect, ${found.parameter} works`, "verified", {
      evidence: found.evidence,
      setting: `${setting} ${found.parameter}`,
      problem: true,
    })
  }
  if (isUsedUp(error)) return finding(about, Findings.notAsked, "unknown", { setting })
  const refused = error.reason._tag === "CursorRejected" ? "is rejected" : "has no effect"
  return isAboutCursor(error)
    ? finding(about, `${assumed} ${refused}, and no other name was found`, "unknown", {
        setting,
        evidence: isCutShort ? "not every name was tried: the limit of requests is reached" : null,
        problem: true,
      })
    : finding(about, Catalogue.ofClient(error.reason).headline, "unknown", { problem: true })
}

/** The order of ids on these pages. It is reported and never relied on. */
export const ordering = (pages: ReadonlyArray<AnyPage>): Finding => {
  const seen = new Set(pages.map(({ summary }) => summary.ordering).filter((each) => each !== "unknown"))
  const [only] = seen
  if (only === undefined) return finding("order of ids", "too few records", "unknown")
  return finding("order of ids", seen.size === 1 ? only : "mixed", "verified", {
    evidence: "observed on these pages, not relied on",
  })
}

/** The last page of a list, or why there is none; `oddity` is an end other than null. */
export const end = (
  last: AnyPage | null,
  failure: ClientError.ClientError | null,
  oddity: string | null,
): Finding => {
  const about = "end of a list"
  if (failure !== null) {
    if (isUsedUp(failure)) return finding(about, Findings.notAsked, "unknown")
    const certainty = failure.reason._tag === "EnvelopeInvalid" ? "verified" : "unknown"
    return finding(about, Catalogue.ofClient(failure.reason).headline, certainty, { problem: true })
  }
  if (last === null || !last.summary.complete) {
    return finding(about, "next_before_id is null; no list was read to its end", "documented")
  }
  const evidence = `${many(last, last.summary.records)} in ${count(last.summary.pages, "page", "pages")}`
  return finding(about, oddity ?? "next_before_id is null", "verified", { evidence })
}

/** Whether the records of these pages are as specified. */
export const conformity = (pages: ReadonlyArray<AnyPage>): Finding => {
  const about = "records"
  const rejected = pages.flatMap((page) => page.rejected)
  const total = pages.reduce((sum, page) => sum + sizeOf(page), 0)
  if (total === 0) return ofRecords(about, "there are none", "unknown")
  if (rejected.length === 0) return ofRecords(about, `all ${total} are as specified`, "verified")
  const [first] = rejected.flatMap(({ issues }) => issues)
  const why = first === undefined ? "" : `: ${first.path} should be ${first.expected} and is ${first.found}`
  return ofRecords(about, `${rejected.length} of ${total} are not as specified${why}`, "verified", {
    problem: true,
  })
}
