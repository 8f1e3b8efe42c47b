/**
 * The catalogue of failed actions: a headline and advice for each reason why a page's request is not carried out or an export fails. Failures of
 * the connection are in `ConnectionFailure`.
 */
import type { MessageName } from "../BrowserNames.ts"
import type { UserError } from "../messages/PageMessage.ts"

/** The messages of each reason. */
export const actionFailures = {
  AddressInvalid: ["errorAddress", "errorAddressAdvice"],
  NotTheService: ["errorNotService", "errorNotServiceAdvice"],
  AddressMissing: ["errorNoAddress", "errorNoAddressAdvice"],
  KeyInvalid: ["errorKey", "errorKeyAdvice"],
  SiteInvalid: ["errorSite", "errorSiteAdvice"],
  SiteNotAllowed: ["errorSiteGrant", "errorSiteGrantAdvice"],
  PermissionDenied: ["grantDenied", "grantDeniedAdvice"],
  PageNotAllowed: ["errorOnce", "errorOnceAdvice"],
  PatternInvalid: ["errorPattern", "errorPatternAdvice"],
  PageNotLinkable: ["errorLink", "errorLinkAdvice"],
  LinksFull: ["errorLinks", "errorLinksAdvice"],
  ContractGone: ["errorGone", "errorGoneAdvice"],
  AccountNameMissing: ["errorAccountName", "errorAccountNameAdvice"],
  AccountsFull: ["errorAccounts", "errorAccountsAdvice"],
  LastAccount: ["errorLastAccount", "errorLastAccountAdvice"],
  FileInvalid: ["errorFile", "errorFileAdvice"],
  FilePartsInvalid: ["errorFile", "errorFilePartsAdvice"],
  FileTooLarge: ["errorFile", "errorFileSizeAdvice"],
  NoAnswer: ["noAnswer", "noAnswerAdvice"],
} as const satisfies { readonly [reason: string]: readonly [headline: MessageName, advice: MessageName] }

export type ActionReason = keyof typeof actionFailures

/** The error for a reason, in the language of `text`. The values fill the placeholders of the headline and the advice. */
export const actionError = (
  text: (name: MessageName, ...values: ReadonlyArray<string>) => string,
  reason: ActionReason,
  ofHeadline: ReadonlyArray<string> = [],
  ofAdvice: ReadonlyArray<string> = [],
): UserError => {
  const [headline, advice] = actionFailures[reason]
  return { _tag: "UserError", message: text(headline, ...ofHeadline), advice: text(advice, ...ofAdvice) }
}

/** The messages of each reason why an export failed, which leaves no file and no copy. */
export const exportFailures = {
  TooMuchToCopy: ["exportTooMuchToCopy", "exportTooMuchToCopyAdvice"],
  Storage: ["exportStorage", "exportStorageAdvice"],
  Memory: ["exportMemory", "exportMemoryAdvice"],
  Unexpected: ["exportUnexpected", "exportUnexpectedAdvice"],
  SyncNotStarted: ["exportNoSync", "exportNoSyncAdvice"],
  SyncStopped: ["exportSyncStopped", "exportSyncStoppedAdvice"],
} as const satisfies {
  readonly [reason: string]: readonly [headline: MessageName, advice: MessageName]
}

export type ExportReason = keyof typeof exportFailures
