/**
 * The end of a command that did its work, but for records that are not as specified (Spec: Resources). The others were given out, so
 * this is no failure of the run; it has an exit code of its own, so that nobody mistakes the result for the whole.
 */
import * as Data from "effect/Data"
import { count } from "./Figures.ts"

export class SetAside extends Data.TaggedError("SetAside")<{
  readonly records: number
  /** The file that keeps them whole; null when they were only left out. */
  readonly path: string | null
  /** What was wrong, by path and type, never by value. */
  readonly problems: ReadonlyArray<string>
}> {
  override get message(): string {
    const { path, problems, records } = this
    const what = `${count(records, "record is", "records are")} not as specified`
    const where = path === null ? "left out" : `kept in ${path}, with reasons`
    const why = problems.length === 0 ? "" : ` (${problems.slice(0, 3).join("; ")})`
    return `${what} and ${where}${why}. Everything else is there.`
  }
}
