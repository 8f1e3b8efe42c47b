/** Opens a mirror for commands, and converts the failures of its accounts to failures of this program. */
import type { ClientError } from "@deedkit/core"
import type { MirrorStore, SyncError } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Catalogue from "../../failure/Catalogue.ts"
import * as ExitCode from "../../failure/ExitCode.ts"
import type { AccountProblem, Failure } from "../../failure/Failure.ts"
import * as MirrorCatalogue from "../../failure/MirrorCatalogue.ts"
import type { Environment } from "../../terminal/Environment.ts"
import { openMirror } from "./OpenMirror.ts"

/** An error that ends the work on one account. */
export type AccountError = ClientError.ClientError | Failure | SyncError

const messageOf = (error: AccountError): string =>
  error._tag === "ClientError"
    ? Catalogue.clientMessage(error)
    : error._tag === "SyncError"
      ? MirrorCatalogue.messageOf(error)
      : error.message

/** The error as a problem of one account among several. */
export const problemOf = (account: string, error: AccountError): AccountProblem => {
  const exitCode = error._tag === "SyncError" ? MirrorCatalogue.exitCodeOf(error) : ExitCode.ofError(error)
  return { account, problem: messageOf(error), exitCode }
}

/** The error of the only account, with which the command fails. */
export const alone = (error: AccountError): ClientError.ClientError | Failure =>
  error._tag === "SyncError" ? MirrorCatalogue.failureOf(error) : error

const using =
  (isReadOnly: boolean) =>
  <A, R>(
    mirror: string,
    work: (store: MirrorStore) => Effect.Effect<A, SyncError, R>,
  ): Effect.Effect<A, Failure, Environment | Exclude<R, Scope.Scope>> =>
    Effect.gen(function* () {
      // A command that changes a mirror must not create it.
      if (!isReadOnly) yield* Effect.scoped(openMirror(mirror, true))
      return yield* Effect.scoped(Effect.flatMap(openMirror(mirror, isReadOnly), work))
    }).pipe(Effect.catchTag("SyncError", (error) => Effect.fail(MirrorCatalogue.failureOf(error))))

/** Reads from an existing mirror and closes it. */
export const read = using(true)

/** Changes an existing mirror and closes it. */
export const change = using(false)
