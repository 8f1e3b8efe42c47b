/**
 * The one error of this client, with a tagged `reason` and an action id.
 *
 * The specification promises a single error status, 429 (Spec: Errors 1). Every other classification here is ours: such an error has
 * `documented: false`. Reasons are plain data, so that they can be logged, sent over a message port and matched on; they hold no key, no header
 * and no whole body.
 */
import * as Data from "effect/Data"
import type { ReadSummary } from "./Page.ts"
import type { ClientErrorFields, Reason, ReasonTag } from "./Reason.ts"
import { adviceOf, headline, isTransient } from "./Reason.ts"

export { actionOf, actions, reasonTags } from "./Reason.ts"
export type * from "./Reason.ts"

/** The error of every operation of this client. */
export class ClientError extends Data.TaggedError("ClientError")<ClientErrorFields> {
  /** What happened, where, and what the reader can do. Safe to show: no key, no body, no personal data. */
  override get message(): string {
    const id = this.requestId === null ? "" : ` (request id ${this.requestId})`
    return `${headline(this)}${id}. ${adviceOf(this.reason)}`
  }

  /** Whether the same call may succeed later without any change. */
  get retryable(): boolean {
    return this.reason._tag === "TimedOut" || isTransient(this.reason)
  }

  /** Whether the specification promises this classification: true for 429, and for settings that were refused before any request. */
  get documented(): boolean {
    return this.reason._tag === "RateLimited" || this.reason._tag === "ConfigInvalid"
  }

  /** Plain JSON. Safe to send to support: no key, no body, no value of a record. */
  override toJSON(): ClientErrorJson {
    return {
      error: this.reason._tag,
      message: this.message,
      retryable: this.retryable,
      documented: this.documented,
      reason: this.reason,
      request: this.request,
      requestId: this.requestId,
      attempts: this.attempts,
      reading: this.reading,
    }
  }
}

/** A `ClientError` as plain JSON. */
export interface ClientErrorJson extends ClientErrorFields {
  readonly error: ReasonTag
  readonly message: string
  readonly retryable: boolean
  readonly documented: boolean
}

/** A handler for each reason. */
export type Handlers<A> = {
  readonly [Tag in ReasonTag]: (reason: Extract<Reason, { readonly _tag: Tag }>) => A
}

/** Handlers for some reasons, and `orElse` for all others, those of later versions included. */
export type SomeHandlers<A> = Partial<Handlers<A>> & { readonly orElse: (reason: Reason) => A }

/**
 * Calls the handler of the error's reason. Without `orElse` the compiler requires a handler for every reason, so that a new reason is not
 * overlooked.
 */
export const match = <A>(error: ClientError, handlers: Handlers<A> | SomeHandlers<A>): A => {
  const handler = handlers[error.reason._tag] ?? (handlers as SomeHandlers<A>).orElse
  return (handler as (reason: Reason) => A)(error.reason)
}

/** How many attempts a failed call took, and how many milliseconds it waited between them. @internal */
export const attemptedOf = ({
  attempts,
}: ClientError): { readonly attempts: number; readonly waitedMillis: number } => ({
  attempts: attempts.length,
  waitedMillis: attempts.reduce((sum, attempt) => sum + (attempt.waitedMillis ?? 0), 0),
})

/** Makes the error of a setting or argument that cannot work. `problem` continues the sentence that begins with `setting`. @internal */
export const configInvalid = (setting: string, problem: string): ClientError =>
  unsent({ _tag: "ConfigInvalid", setting, problem }, null)

/** Makes the error of a call that sent nothing. @internal */
export const unsent = (reason: Reason, reading: ReadSummary | null): ClientError =>
  new ClientError({ reason, request: null, requestId: null, attempts: [], reading })
