/** The buttons and the appearance of each connection failure on a page. A part of the catalogue that only pages need. */
import type { MessageName } from "../BrowserNames.ts"
import type { Failure } from "./ConnectionFailure.ts"

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
