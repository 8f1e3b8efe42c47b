/**
 * The keychain of the operating system: Keychain on macOS, Credential Manager on Windows, the Secret Service on Linux.
 *
 * Linux's kernel keyring is not used in its place: it forgets everything at the next start of the machine, and nobody would know why. The
 * binary module behind this is loaded when the keychain is needed and not before.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { StoreError } from "../failure/StoreError.ts"

export interface Service {
  /** The secret of an account; null when there is none. */
  readonly get: (account: string) => Effect.Effect<string | null, StoreError>
  readonly set: (account: string, secret: string) => Effect.Effect<void, StoreError>
  /** Whether there was one. */
  readonly remove: (account: string) => Effect.Effect<boolean, StoreError>
}

/** What can be done where there is no keychain. Plaintext is last, because it is the worst. */
const waysOut =
  "There are three ways without one: set DEEDKIT_BASE_URL and DEEDKIT_API_KEY; keep the key in a file of mode 600 and name it with --key-file, or in DEEDKIT_API_KEY_FILE; or accept plaintext with deedkit auth login --insecure-storage."

const service = "deedkit"
/** An unlocking dialogue that nobody sees must not hold up a cron job for ever. */
const patience = "60 seconds"

const unavailable = (reason: string): StoreError =>
  new StoreError({
    kind: "failed",
    path: null,
    problem: `The keychain of this machine cannot be used (${reason})`,
    advice: waysOut,
  })

/** What a Linux without a desktop says, in many words, of a bus that is not there or that nobody answers on. */
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
): Effect.Effect<A, StoreError> =>
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

/** A keychain that never works, and says why. */
export const unusable = (reason: string): Service => {
  const failing = Effect.fail(unavailable(reason))
  return { get: () => failing, set: () => failing, remove: () => failing }
}

const native: Service = {
  get: (account) => use(account, (entry, signal) => entry.getPassword(signal)),
  set: (account, secret) => use(account, (entry, signal) => entry.setPassword(secret, signal)),
  remove: (account) => use(account, (entry, signal) => entry.deleteCredential(signal)),
}

/** The keychain that this program uses; by default the machine's. */
export const Keychain = Context.Reference<Service>("deedkit/Keychain", { defaultValue: () => native })
