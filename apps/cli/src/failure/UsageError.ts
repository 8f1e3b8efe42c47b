/**
 * What is wrong with how the program was called or set up, found before any request: flags, arguments, variables, key files.
 */
import * as Data from "effect/Data"

/** One sentence says what is wrong, another what to do. Neither holds the API key. */
export class UsageError extends Data.TaggedError("UsageError")<{
  readonly problem: string
  readonly advice: string | null
}> {
  override get message(): string {
    return this.advice === null ? `${this.problem}.` : `${this.problem}. ${this.advice}`
  }
}

/** Makes the error; `problem` comes without a full stop, `advice` with one. */
export const usageError = (problem: string, advice: string | null = null): UsageError =>
  new UsageError({ problem, advice })
