/**
 * Which state the pages show for an error of the client. Every reason is matched, so that a new one is a compile error here and not an
 * unknown state for the user. Pure.
 */
import { ClientError } from "@deedkit/core"
import type { Failure } from "../../failures/ConnectionFailure.ts"
import * as Facts from "./Facts.ts"

/** The state that an error means. `isOnline` is what the browser says of its own network. */
export const ofError = (error: ClientError.ClientError, isOnline: boolean): Failure => {
  const unreadable = (): Failure => ({ _tag: "UnreadableData", detail: Facts.of(error) })
  const untrusted = (): Failure => ({ _tag: "CursorUntrusted", detail: Facts.of(error) })
  const unreachable = (): Failure => ({ _tag: isOnline ? "Unreachable" : "Offline" })
  return ClientError.match<Failure>(error, {
    Unauthenticated: () => ({ _tag: "WrongKey" }),
    Forbidden: ({ scope }) => ({ _tag: "MissingScope", scope }),
    RateLimited: ({ retryAt }) => ({ _tag: "RateLimited", until: retryAt }),
    ServerFault: ({ status }) => ({ _tag: "ServerFault", status }),
    TransportFailed: unreachable,
    TimedOut: unreachable,
    CursorIgnored: untrusted,
    CursorRejected: untrusted,
    PaginationStalled: untrusted,
    NotFound: unreadable,
    Rejected: unreadable,
    Redirected: unreadable,
    NotTheApi: unreadable,
    BodyInvalid: unreadable,
    NotOk: unreadable,
    EnvelopeInvalid: unreadable,
    RecordInvalid: unreadable,
    ShapeMismatch: unreadable,
    IdentityMismatch: unreadable,
    CheckpointRefused: unreadable,
    BodyTooLarge: unreadable,
    ConfigInvalid: unreadable,
  })
}

/** Whether a state may end without the user and without a sign of it, so that the service has to be asked. */
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

/** Whether a state has ended by itself: the browser is back on line, or the time of a rate limit is over. */
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
