/**
 * What the extension's own pages say to the background about the lock and about accounts, and what the settings file brings. A passphrase goes
 * one way only: no answer holds one, and none holds a key.
 */
import type { AppState, Site } from "./AppState.ts"
import type { UserError } from "./UserError.ts"

export type AccountRequest =
  | { readonly type: "page.lock" }
  | { readonly type: "page.unlock"; readonly passphrase: string }
  /** Sets the first passphrase, or another one in place of `current`. */
  | { readonly type: "page.setPassphrase"; readonly passphrase: string; readonly current: string | null }
  | { readonly type: "page.removePassphrase"; readonly current: string }
  /** Minutes without use after which it locks itself; null for only when the browser closes. */
  | { readonly type: "page.setLockAfter"; readonly minutes: number | null }
  /** A further account, without address and key, which becomes the one in use. */
  | { readonly type: "page.addAccount"; readonly name: string }
  | { readonly type: "page.renameAccount"; readonly id: string; readonly name: string }
  | { readonly type: "page.switchAccount"; readonly id: string }
  /** Its key and its index go with it. The last account stays. */
  | { readonly type: "page.removeAccount"; readonly id: string }
  /** Uses the smaller list of this id; or keeps what is saved, and reads again. Does nothing when it no longer waits for a decision. */
  | { readonly type: "page.decideList"; readonly id: string; readonly isUsed: boolean }
  /** What a settings file would change. Changes nothing. */
  | { readonly type: "page.previewSettings"; readonly text: string }
  /** Imports a settings file. What the browser has to grant is asked for again, site by site. */
  | { readonly type: "page.importSettings"; readonly text: string }

/** Accounts, sites and choices as they would be with a settings file. */
export interface SettingsPreview extends Pick<AppState, "accounts" | "settings"> {
  readonly sites: ReadonlyArray<Omit<Site, "isGranted">>
  /** Accounts of the file that there is no room for. */
  readonly leftOut: number
}

export interface AccountAnswers {
  readonly "page.lock": AppState
  readonly "page.unlock": AppState | UserError
  readonly "page.setPassphrase": AppState | UserError
  readonly "page.removePassphrase": AppState | UserError
  readonly "page.setLockAfter": AppState
  readonly "page.addAccount": AppState | UserError
  readonly "page.renameAccount": AppState | UserError
  readonly "page.switchAccount": AppState
  readonly "page.removeAccount": AppState | UserError
  readonly "page.decideList": AppState
  readonly "page.previewSettings": SettingsPreview | UserError
  readonly "page.importSettings": AppState | UserError
}

/** Limits of what is typed. A passphrase is counted in UTF-16 units. */
export const accountLimits = {
  leastPassphrase: 8,
  mostPassphrase: 1_000,
  mostName: 60,
  mostAccounts: 20,
  /** Minutes without use. */
  mostLockAfter: 24 * 60,
  /** Of a settings file: UTF-16 units of its text, and bytes before it is read. */
  mostFile: 500_000,
} as const
