/**
 * The keychain of the operating system: Keychain on macOS, Credential Manager on Windows, the Secret Service on Linux.
 *
 * The kernel keyring of Linux is not used instead, because it loses its content at the next boot. The binary module for the keychain is loaded only
 * when it is needed.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Failure } from "../failure/Failure.ts"
import { storeError } from "../failure/Failure.ts"

export interface Service {
  /** The secret of an account; null when there is none. */
  readonly get: (account: string) => Effect.Effect<string | null, Failure>
  readonly set: (account: string, secret: string) => Effect.Effect<void, Failure>
  /** Removes the secret. Returns whether there was one. */
  readonly remove: (account: string) => Effect.Effect<boolean, Failure>
}

/** The alternatives to a keychain. Plaintext is last, because it is the least secure. */
const waysOut =
  "There are three alternatives: set DEEDKIT_BASE_URL and DEEDKIT_API_KEY; save the key in a file of mode 600 and name it with --key-file, or in DEEDKIT_API_KEY_FILE; or save it in plaintext with `deedkit auth login --insecure-storage`."

const service = "deedkit"
/** Longest wait for the keychain. An unlock dialog that nobody sees must not block a cron job. */
const patience = "60 seconds"

const unavailable = (reason: string): Failure =>
  storeError({
    kind: "failed",
    path: null,
    problem: `The keychain of this machine cannot be used (${reason})`,
    advice: waysOut,
  })

/** Errors on a Linux system without a desktop, which has no bus or no Secret Service. */
const noSecretService = /autolaunch|ServiceUnknown|not provided by any|No such file or directory/i

const reasonOf = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (/d-?bus/i.test(message) && noSecretService.test(message)) return "no Secret Service runs here"
  return message.replaceAll(/\s+/g, " ").slice(0, 200)
}

type Entry = import("@napi-rs/keyring").AsyncEntry

const use = <A>(
  account: string,
  work: (entry: Entry, signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, Failure> =>
  Effect.tryPromise({
    try: async (signal) => {
      const { AsyncEntry } = await import("@napi-rs/keyring")
      return work(new AsyncEntry(service, account, { linux: { store: "secret-service" } }), signal)
    },
    catch: (cause) => unavailable(reasonOf(cause)),
  }).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(unavailable(`it did not answer within ${patience}`)),
    }),
  )

/** A keychain that always fails with this reason. */
export const unusable = (reason: string): Service => {
  const failing = Effect.fail(unavailable(reason))
  return { get: () => failing, set: () => failing, remove: () => failing }
}

const native: Service = {
  get: (account) => use(account, (entry, signal) => entry.getPassword(signal)),
  set: (account, secret) => use(account, (entry, signal) => entry.setPassword(secret, signal)),
  remove: (account) => use(account, (entry, signal) => entry.deleteCredential(signal)),
}

/** The keychain; by default that of the machine. */
export const Keychain = Context.Reference<Service>("deedkit/Keychain", { defaultValue: () => native })
