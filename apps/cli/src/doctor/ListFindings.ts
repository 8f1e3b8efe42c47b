/**
 * What a few pages of a list say about the server's lists: sizes, limit, cursor, order, end. Each of these is open in the specification
 * (Spec: Endpoints 5, 6; Limits 2). Pure: pages in, findings out.
 */
import type { ClientError, Cursor, Page, Probe } from "@deedkit/core"
import { count } from "../terminal/Figures.ts"
import type { Finding } from "./Finding.ts"
import * as Findings from "./Finding.ts"
import { isUsedUp } from "./ObservedAnswers.ts"
import { nouns } from "../terminal/ProgressText.ts"
import * as ReasonText from "../failure/ReasonText.ts"

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
    ? finding("page size", `all ${many(page, sizeOf(page))} came on one page`, "cannot tell", {
        setting: "--limit",
      })
    : finding("page size", `${sizeOf(page)} without a limit`, "verified", { setting: "--limit" })

/** A page that was asked for with `limit=1`. */
export const smallLimit = (page: AnyPage): Finding => {
  const about = "limit"
  const size = sizeOf(page)
  if (refusedLimit(page))
    return finding(about, "limit=1 is refused; lists are read without a limit", "verified")
  if (size === 0) return finding(about, "there are no records to see it by", "cannot tell")
  return size === 1
    ? finding(about, "obeyed", page.next === null ? "cannot tell" : "verified", {
        evidence: "limit=1 gave one record",
      })
    : finding(about, `ignored: limit=1 gave ${size} records`, "verified")
}

/** A page that was asked for with a large limit. */
export const largeLimit = (page: AnyPage, asked: number): Finding => {
  const about = "largest page"
  const setting = "--limit"
  const size = sizeOf(page)
  if (refusedLimit(page)) {
    return finding(about, `limit=${asked} is refused; the most that is allowed is not said`, "verified", {
      setting,
    })
  }
  if (size > asked) return finding(about, `limit=${asked} has no effect`, "verified", { setting })
  if (size === asked) return finding(about, `at least ${asked}`, "verified", { setting })
  return page.next === null
    ? finding(about, `limit=${asked} is accepted, and all ${many(page, size)} came`, "cannot tell", {
        setting,
      })
    : finding(about, `${size}: limit=${asked} gave ${size} and more to come`, "verified", { setting })
}

/** The type of a cursor, `null` for one that was not seen. */
export const cursorType = (cursor: Cursor.Cursor | null): Finding => {
  const about = "cursor type"
  if (cursor === null) return finding(about, "no cursor came", "cannot tell")
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
    return finding(about, `${parameter}, as no second page with records came to see it by`, "assumed", {
      setting,
    })
  }
  const answer = parameter === assumed ? parameter : `${parameter}; ${assumed} has no effect`
  return finding(about, answer, "verified", { evidence, setting })
}

/** Whether an error says that the name of the cursor's parameter is not right. */
export const isAboutCursor = ({ reason }: ClientError.ClientError): boolean =>
  reason._tag === "CursorIgnored" || reason._tag === "CursorRejected"

/**
 * The cursor did not work; `found` is what a search for another name gave, null for none, and `isCutShort` says that it may not have tried
 * all of them.
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
      trouble: true,
    })
  }
  if (isUsedUp(error)) return finding(about, Findings.notAsked, "cannot tell", { setting })
  const refused = error.reason._tag === "CursorRejected" ? "is refused" : "has no effect"
  return isAboutCursor(error)
    ? finding(about, `${assumed} ${refused}, and no other name was found`, "cannot tell", {
        setting,
        evidence: isCutShort ? "not every name was tried: the requests are used up" : null,
        trouble: true,
      })
    : finding(about, ReasonText.words(error.reason), "cannot tell", { trouble: true })
}

/** The order of ids on these pages. It is reported and never relied on. */
export const ordering = (pages: ReadonlyArray<AnyPage>): Finding => {
  const seen = new Set(pages.map(({ summary }) => summary.ordering).filter((each) => each !== "unknown"))
  const [only] = seen
  if (only === undefined) return finding("order of ids", "too few records to see one", "cannot tell")
  return finding("order of ids", seen.size === 1 ? only : "mixed", "verified", {
    evidence: "seen on these pages, relied on nowhere",
  })
}

/** The last page that was read of a list, or why there is none; `oddity` says by what it ended, where that is not null. */
export const end = (
  last: AnyPage | null,
  failure: ClientError.ClientError | null,
  oddity: string | null,
): Finding => {
  const about = "end of a list"
  if (failure !== null) {
    if (isUsedUp(failure)) return finding(about, Findings.notAsked, "cannot tell")
    const certainty = failure.reason._tag === "EnvelopeInvalid" ? "verified" : "cannot tell"
    return finding(about, ReasonText.words(failure.reason), certainty, { trouble: true })
  }
  if (last === null || !last.summary.complete) {
    return finding(about, "next_before_id is null; no list was read to its end now", "documented")
  }
  const evidence = `${many(last, last.summary.records)} in ${count(last.summary.pages, "page", "pages")}`
  return finding(about, oddity ?? "next_before_id is null", "verified", { evidence })
}

/** Whether the records of these pages are as specified. */
export const conformity = (pages: ReadonlyArray<AnyPage>): Finding => {
  const about = "records"
  const rejected = pages.flatMap((page) => page.rejected)
  const total = pages.reduce((sum, page) => sum + sizeOf(page), 0)
  if (total === 0) return ofRecords(about, "there are none", "cannot tell")
  if (rejected.length === 0) return ofRecords(about, `all ${total} that came are as specified`, "verified")
  const [first] = rejected.flatMap(({ issues }) => issues)
  const why = first === undefined ? "" : `: ${first.path} should be ${first.expected} and is ${first.found}`
  return ofRecords(about, `${rejected.length} of ${total} are not as specified${why}`, "verified", {
    trouble: true,
  })
}
