/** The check of a parsed body, which a caller passes with a request, and its result. Pure; runs inside the attempt. */
import type { Reason } from "../error/Reason.ts"
import type { JsonObject } from "./answer.ts"
import type { TransportResponse } from "../transport/Transport.ts"

/** The result of a check: a value, or the reason why there is none. */
export type Checked<A> =
  | { readonly _tag: "Value"; readonly value: A }
  | { readonly _tag: "Failed"; readonly reason: Reason }
/**
 * Reads a body. `exact` returns the body again with integers beyond 2^53 exact, which costs a second parse; `text` is the text that it was
 * parsed from. `wellEncoded` is false for a list whose text has U+FFFD in place of unreadable bytes. `answered` is status and headers; a
 * recorded answer has none.
 */
export type Check<A> = (
  body: JsonObject,
  exact: () => JsonObject,
  text: string,
  wellEncoded: boolean,
  answered: Pick<TransportResponse, "status" | "header">,
) => Checked<A>
