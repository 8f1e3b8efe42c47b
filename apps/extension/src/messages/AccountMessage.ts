/**
 * The requests of the extension's own pages to the background about accounts and about the settings file. No answer holds a
 * key.
 */
import type { AppState } from "./AppState.ts"
import type { UserError } from "./UserError.ts"

export type AccountRequest =
  /** Adds an account without address and key. The one in use stays in use. */
  | { readonly type: "page.addAccount"; readonly name: string }
  | { readonly type: "page.renameAccount"; readonly id: string; readonly name: string }
  | { readonly type: "page.switchAccount"; readonly id: string }
  /** Removes an account with its key and its index. The last account stays. */
  | { readonly type: "page.removeAccount"; readonly id: string }
  /** Uses the smaller list with this id, or keeps the saved one and reads again. Does nothing if the list no longer waits for a decision. */
  | { readonly type: "page.decideList"; readonly id: string; readonly isUsed: boolean }
  /** Imports a settings file. Grants of the browser are asked for again, site by site. */
  | { readonly type: "page.importSettings"; readonly text: string }

export interface AccountAnswers {
  readonly "page.addAccount": AppState | UserError
  readonly "page.renameAccount": AppState | UserError
  readonly "page.switchAccount": AppState
  readonly "page.removeAccount": AppState | UserError
  readonly "page.decideList": AppState
  readonly "page.importSettings": AppState | UserError
}

/** Limits of what is typed and of a file. */
export const accountLimits = {
  mostName: 60,
  mostAccounts: 20,
  /** Of a settings file: UTF-16 units of its text, and bytes before it is read. */
  mostFile: 500_000,
} as const
