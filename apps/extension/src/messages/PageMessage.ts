/**
 * What the background answers to the extension's own pages: popup, options, first steps, export. No answer holds a key. It accepts requests only
 * from pages of the extension's own origin; `Requests.ts` has them.
 */
import type { Facts, Trial } from "@deedkit/core/checkup"
import type { ContractDetail } from "../index/PageIndex.ts"
import type { AppState, ConnectionState } from "./AppState.ts"
import type { SettingsFile } from "./SettingsFile.ts"

type Failure = Exclude<ConnectionState, { readonly _tag: "Ready" }>

export interface PageAnswers {
  readonly "page.state": AppState
  readonly "page.refresh": ContractDetail | UserError
  readonly "page.setAddress": AppState | UserError
  readonly "page.setKey": AppState | UserError
  readonly "page.forgetKey": AppState
  readonly "page.setSettings": AppState
  readonly "page.addSite": AppState | UserError
  readonly "page.removeSite": AppState
  readonly "page.switchSite": AppState
  readonly "page.showOnce": AppState | UserError
  readonly "page.setPatterns": AppState | UserError
  readonly "page.linkPage": AppState | UserError
  readonly "page.sync": AppState
  readonly "page.looked": AppState
  readonly "page.watch": AppState
  readonly "page.readHead": AppState
  readonly "page.stopSync": AppState
  readonly "page.clear": AppState
  readonly "page.addAccount": AppState | UserError
  readonly "page.renameAccount": AppState | UserError
  readonly "page.switchAccount": AppState
  readonly "page.removeAccount": AppState | UserError
  readonly "page.decideList": AppState
  readonly "page.readSettings": SettingsFile | UserError
  readonly "page.importSettings": AppState | UserError
}

/**
 * Two ports of pages: `state` sends an `AppState` at once and at every change; `connection-test` runs the staged test and sends each
 * finding when it is known.
 */
export const ports = { state: "page.state", connectionTest: "page.connectionTest" } as const

type Tested = "Scope" | "CursorParameter" | "Clock"

/**
 * What the connection test has found: the facts of a finding of the checkup, what its error is about, and the state that it means. `NotRun`:
 * there is no service to ask. `End` is the last.
 */
export type TestFinding =
  | {
      readonly [Tag in Tested]: Facts[Tag] & {
        readonly _tag: Tag
        readonly origin: string
        readonly hasKey: boolean
        readonly about: Trial.About | null
        readonly failure: Failure | null
      }
    }[Tested]
  | { readonly _tag: "NotRun"; readonly failure: Failure }
  | { readonly _tag: "End" }

/** An action that failed, in words for people: what happened and what they can do. The answer to a request of a page. */
export interface UserError {
  readonly _tag: "UserError"
  readonly message: string
  readonly advice: string
}

/** Whether an answer is an error. */
export const isUserError = (answer: unknown): answer is UserError =>
  typeof answer === "object" && answer !== null && "_tag" in answer && answer._tag === "UserError"
