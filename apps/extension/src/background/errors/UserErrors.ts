/**
 * What did not work, in words for people and with what they can do. One file, so that each failure says the same wherever it is met.
 */
import { ClientError } from "@deedkit/core"
import type { Standing } from "../../messages/AppState.ts"
import type { Refusal } from "../../messages/PageMessage.ts"
import type { NotReady } from "../connection/Connection.ts"
import type { Service as Platform } from "../browser/Platform.ts"
import * as Standings from "./ConnectionState.ts"

type Text = Platform["text"]

export const refused = (message: string, advice: string): Refusal => ({ _tag: "Refused", message, advice })

/** What a user can do in a state. */
export const adviceFor = (standing: Standing, text: Text): string => {
  switch (standing._tag) {
    case "NoAddress":
      return text("adviceNoAddress")
    case "NoKey":
      return text("adviceNoKey")
    case "Locked":
      return text("adviceLocked")
    case "NoPermission":
      return text("adviceNoPermission", standing.origin)
    case "WrongKey":
      return text("adviceWrongKey")
    case "MissingScope":
      return standing.scope === null ? text("adviceSomeScope") : text("adviceMissingScope", standing.scope)
    case "RateLimited":
      return text("adviceRateLimited")
    case "Offline":
      return text("adviceOffline")
    case "Unreachable":
      return text("adviceUnreachable")
    case "ServerFault":
      return text("adviceServerFault", String(standing.status))
    case "StorageFailed":
      return text("storageBody")
    case "UnreadableData":
    case "CursorUntrusted":
      return standing.detail
    case "Ready":
      return text("adviceAgain")
  }
}

/** The service could not be asked, or did not answer as specified. */
export const ofFailure = (
  failure: ClientError.ClientError | NotReady,
  { isOnline, text }: Pick<Platform, "isOnline" | "text">,
): Refusal => {
  const standing =
    failure instanceof ClientError.ClientError ? Standings.ofError(failure, isOnline()) : failure.standing
  return refused(text("refusedAsk"), adviceFor(standing, text))
}
