/**
 * The catalogue of connection failures: headline and advice for each state in which Deedkit cannot reach the service or show contracts. Popup,
 * options, toolbar, connection test and answers to single requests all use these texts. Pure.
 */
import type { MessageName } from "../BrowserNames.ts"
import type { ConnectionState } from "../messages/AppState.ts"

export type Failure = Exclude<ConnectionState, { readonly _tag: "Ready" }>

export interface Description {
  /** The message of the headline, without a full stop, and the values of its placeholders. */
  readonly headline: readonly [name: MessageName, ...values: ReadonlyArray<string>]
  /** One or two sentences: what it means and what to do. */
  readonly advice: MessageName
}

/** Describes a failure. `service` names the service: its host, or a word for it. */
export const describe = (failure: Failure, service: string): Description => {
  switch (failure._tag) {
    case "NoAddress":
      return { headline: ["noAddressTitle"], advice: "noAddressBody" }
    case "NoKey":
      return { headline: ["noKeyTitle"], advice: "noKeyBody" }
    case "NoPermission":
      return { headline: ["noPermissionTitle", new URL(failure.origin).host], advice: "noPermissionBody" }
    case "WrongKey":
      return { headline: ["wrongKeyTitle"], advice: "wrongKeyBody" }
    case "MissingScope":
      return {
        headline: failure.scope === null ? ["noScopeTitle"] : ["missingScopeTitle", failure.scope],
        advice: "missingScopeBody",
      }
    case "RateLimited":
      return { headline: ["rateLimitedTitle"], advice: "rateLimitedSoonBody" }
    case "Offline":
      return { headline: ["offlineTitle"], advice: "offlineBody" }
    case "Unreachable":
      return { headline: ["unreachableTitle", service], advice: "unreachableBody" }
    case "ServerFault":
      return { headline: ["serverFaultTitle", String(failure.status)], advice: "serverFaultBody" }
    case "UnreadableData":
      return { headline: ["unreadableTitle"], advice: "unreadableBody" }
    case "StorageFailed":
      return { headline: ["storageTitle"], advice: "storageBody" }
    case "CursorUntrusted":
      return { headline: ["cursorTitle"], advice: "cursorBody" }
  }
}

/** Facts about the error, the same in every language; null if there are none. */
export const detailOf = (failure: Failure): string | null => ("detail" in failure ? failure.detail : null)

const ofUser: ReadonlySet<Failure["_tag"]> = new Set([
  "NoKey",
  "NoPermission",
  "WrongKey",
  "MissingScope",
  "CursorUntrusted",
])

/** Whether only the user can resolve the failure. The toolbar then asks for attention. */
export const needsUser = ({ _tag }: Failure): boolean => ofUser.has(_tag)

/** What a button does. */
export type Step = "setUp" | "key" | "connection" | "sync"

/** The buttons: what each does, and its label. */
export const buttons = {
  setUp: ["setUp", "stepSetUp"],
  addKey: ["key", "stepEnterKey"],
  replaceKey: ["key", "stepOtherKey"],
  allow: ["connection", "stepAllow"],
  test: ["connection", "stepTest"],
  retry: ["sync", "stepRetry"],
  sync: ["sync", "stepSync"],
} as const satisfies { readonly [name: string]: readonly [Step, MessageName] }

export type Button = keyof typeof buttons

/** `wait` for a state that ends by itself, `problem` for a failure, `plain` for something that is not set up yet. */
export type Tone = "problem" | "wait" | "plain"

/** The appearance and the buttons of each failure, the most likely button first. Only a pause that ends by itself has no buttons. */
export const buttonsOf: {
  readonly [Tag in Failure["_tag"]]: readonly [tone: Tone, ...buttons: ReadonlyArray<Button>]
} = {
  NoAddress: ["plain", "setUp"],
  NoKey: ["plain", "addKey"],
  NoPermission: ["problem", "allow"],
  WrongKey: ["problem", "replaceKey", "retry"],
  MissingScope: ["problem", "retry", "replaceKey"],
  RateLimited: ["wait"],
  Offline: ["wait", "retry"],
  Unreachable: ["problem", "retry", "test"],
  ServerFault: ["problem", "retry", "test"],
  UnreadableData: ["problem", "test", "retry"],
  StorageFailed: ["problem", "retry"],
  CursorUntrusted: ["problem", "test", "retry"],
}
