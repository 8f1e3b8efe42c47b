/** Failures as answers to a page, in the words of the catalogues. */
import { ClientError } from "@deedkit/core"
import type { Service as Platform } from "../browser/Platform.ts"
import { describe, detailOf } from "../../failures/ConnectionFailure.ts"
import type { Failure } from "../../failures/ConnectionFailure.ts"
import type { UserError } from "../../messages/UserError.ts"
import type { NotReady } from "./NotReady.ts"
import * as States from "./ConnectionState.ts"

type Text = Platform["text"]

/** What happened and what the user can do, with the facts about the error if there are any. */
export const ofState = (failure: Failure, text: Text): UserError => {
  const { advice, headline } = describe(failure, text("theService"))
  const detail = detailOf(failure)
  return {
    _tag: "UserError",
    message: `${text(...headline)}.`,
    advice: detail === null ? text(advice) : `${text(advice)} (${detail})`,
  }
}

/** The error if the service could not be asked, or did not answer as specified. */
export const ofFailure = (
  failure: ClientError.ClientError | NotReady,
  { isOnline, text }: Pick<Platform, "isOnline" | "text">,
): UserError =>
  ofState(
    failure instanceof ClientError.ClientError ? States.ofError(failure, isOnline()) : failure.state,
    text,
  )
