/**
 * The end of a command that did its work, and whose result is not known to be the whole: records were rejected (Spec: Resources), lack their
 * data payload, or the list's completeness was not shown (Spec: Endpoints 5, 6). It is no failure of the run, and has an exit code of its own, so that nobody mistakes the result for the whole.
 */
import * as Data from "effect/Data"
import { count } from "../terminal/Figures.ts"

export class SetAside extends Data.TaggedError("SetAside")<{
  /** Records that are not as specified. */
  readonly records: number
  /** Records that were given out without the data that was asked for. */
  readonly withoutData: number
  /** The file that keeps them whole; null when they were only left out. */
  readonly path: string | null
  /** Why the list is not known to be complete, in sentences. Default: it is, or the command does not say. */
  readonly doubts?: ReadonlyArray<string>
  /** What was wrong, by path and type, never by value. */
  readonly problems: ReadonlyArray<string>
}> {
  override get message(): string {
    const { doubts = [], path, problems, records, withoutData } = this
    const what = `${count(records, "record is", "records are")} not as specified`
    const where = path === null ? "left out" : `kept in ${path}, with reasons`
    const why = problems.length === 0 ? "" : ` (${problems.slice(0, 3).join("; ")})`
    const lacking = `${count(withoutData, "record has an empty cell for its data", "records have empty cells for their data")}: the service did not know ${withoutData === 1 ? "it" : "them"} any more when asked`
    return [
      ...(records === 0 ? [] : [`${what} and ${where}${why}.`]),
      ...(withoutData === 0 ? [] : [`${lacking}.`]),
      ...(doubts.length === 0
        ? ["Everything else is there."]
        : ["It is not known whether everything is there.", ...doubts]),
    ].join(" ")
  }
}
