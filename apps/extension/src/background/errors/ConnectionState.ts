/**
 * The state that the pages show for an error of the client, by what core says the error is about. Pure.
 */
import type { ClientError } from "@deedkit/core"
import { Trial } from "@deedkit/core/checkup"
import type { Failure } from "../../failures/ConnectionFailure.ts"
import * as Facts from "./Facts.ts"

/** The state that an error means. `isOnline` is what the browser says of its own network. */
export const ofError = (error: ClientError.ClientError, isOnline: boolean): Failure => {
  const { reason } = error
  if (reason._tag === "Forbidden") return { _tag: "MissingScope", scope: reason.scope }
  if (reason._tag === "RateLimited") return { _tag: "RateLimited", until: reason.retryAt }
  if (reason._tag === "ServerFault") return { _tag: "ServerFault", status: reason.status }
  switch (Trial.about(error)) {
    case "key":
      return { _tag: "WrongKey" }
    case "connection":
      return { _tag: isOnline ? "Unreachable" : "Offline" }
    case "pages":
      return { _tag: "CursorUntrusted", detail: Facts.of(error) }
    default:
      return { _tag: "UnreadableData", detail: Facts.of(error) }
  }
}

/** Whether a state can end without the user and without any signal, so that the service has to be asked. */
export const mayPass = (connection: Failure): boolean => {
  switch (connection._tag) {
    case "Unreachable":
    case "ServerFault":
    case "UnreadableData":
      return true
    case "RateLimited":
      return connection.until === null
    default:
      return false
  }
}

/** Whether a state has ended by itself: the browser is back online, or the time of a rate limit is over. */
export const isOver = (connection: Failure, nowMillis: number, isOnline: boolean): boolean => {
  switch (connection._tag) {
    case "Offline":
      return isOnline
    case "RateLimited":
      return connection.until !== null && Date.parse(connection.until) <= nowMillis
    default:
      return false
  }
}
