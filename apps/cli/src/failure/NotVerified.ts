/** The end of a check of exports that found something: every file was looked at, and what is wrong with each was given out before. */
import * as Data from "effect/Data"

export interface Problem {
  /** As the file was given. */
  readonly path: string
  /** One line of clean text, with its full stop. */
  readonly problem: string
  readonly exitCode: number
}

export class NotVerified extends Data.TaggedError("NotVerified")<{
  /** At least one, by file. */
  readonly problems: ReadonlyArray<Problem>
  /** That of the worst of them. */
  readonly exitCode: number
}> {
  /** A line each. */
  override get message(): string {
    return this.problems.map(({ problem }) => problem).join("\n")
  }

  override toJSON(): object {
    return { error: this._tag, message: this.message, problems: this.problems }
  }
}
