/**
 * What is wrong with the places where this program keeps something of its own: the file of profiles, the file of plaintext keys, the
 * keychain of the machine. Found before any request, or after the work is done.
 */
import * as Data from "effect/Data"

/** One sentence says what is wrong and where, another what to do. Neither holds an API key. */
export class StoreError extends Data.TaggedError("StoreError")<{
  /** `broken`: it can be read and makes no sense. `failed`: it could not be read or written. */
  readonly kind: "broken" | "failed"
  /** The file; null for the keychain. */
  readonly path: string | null
  readonly problem: string
  readonly advice: string
}> {
  override get message(): string {
    return `${this.problem}. ${this.advice}`
  }

  override toJSON(): object {
    return { error: this._tag, message: this.message, kind: this.kind, path: this.path }
  }
}
