/**
 * The end of a command that was asked for many records by id, when the service does not know some of them. The others were given out.
 */
import * as Data from "effect/Data"

const named = 10

export class UnknownIds extends Data.TaggedError("UnknownIds")<{
  /** What the ids are of, such as `contract`. */
  readonly what: string
  readonly ids: ReadonlyArray<number>
  /** How many others were found. */
  readonly found: number
}> {
  override get message(): string {
    const { found, ids, what } = this
    const rest = ids.length - named
    const list = `${ids.slice(0, named).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`
    return `There is no ${what} with the id ${list}.${found > 0 ? " Every other one is there." : ""}`
  }

  override toJSON(): object {
    return { error: this._tag, message: this.message, ids: this.ids }
  }
}
