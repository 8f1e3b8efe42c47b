/** The catalogue of failed exports: a headline and advice for each reason. A failed export leaves no file and no copy. */
import type { MessageName } from "../BrowserNames.ts"

/** The messages of each reason. For an invalid choice, a sentence of the export library replaces the advice. */
export const exportFailures = {
  ChoiceInvalid: ["exportChoiceInvalid", null],
  TooMuchToCopy: ["exportTooMuchToCopy", "exportTooMuchToCopyAdvice"],
  Storage: ["exportStorage", "exportStorageAdvice"],
  Memory: ["exportMemory", "exportMemoryAdvice"],
  Unexpected: ["exportUnexpected", "exportUnexpectedAdvice"],
  SyncNotStarted: ["exportNoSync", "exportNoSyncAdvice"],
  SyncStopped: ["exportSyncStopped", "exportSyncStoppedAdvice"],
} as const satisfies {
  readonly [reason: string]: readonly [headline: MessageName, advice: MessageName | null]
}

export type ExportReason = keyof typeof exportFailures
