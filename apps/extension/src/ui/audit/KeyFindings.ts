/** The findings about least privilege for each API key of an account, by the rules of the client and in the extension's language. */
import { ApiKey, Json, KeyAudit } from "@deedkit/core"
import * as Age from "../kit/Age.ts"
import { number, plural, text } from "../kit/Message.ts"

export interface KeyFinding {
  readonly id: number
  readonly name: string
  /** The highest severity among its findings. */
  readonly severity: KeyAudit.Severity
  readonly findings: ReadonlyArray<KeyAudit.Finding>
}

/** Those records of an answer that are API keys. */
export const recordsOf = (apiKeys: string): ReadonlyArray<ApiKey.ApiKey> => {
  const records: unknown = Json.parse(apiKeys)
  return Array.isArray(records) ? records.filter(ApiKey.isApiKey) : []
}

/** The keys that need attention, the most severe first. */
export const of = (apiKeys: string, now: Date): ReadonlyArray<KeyFinding> => {
  const byKey = Map.groupBy(KeyAudit.audit(recordsOf(apiKeys), { now }), ({ keyId }) => keyId)
  return [...byKey].flatMap(([id, findings]) => {
    const [worst] = findings
    return worst === undefined ? [] : [{ id, name: worst.keyName, severity: worst.severity, findings }]
  })
}

/** Texts of the service, truncated to the available room. */
const names = (scopes: ReadonlyArray<string>): string =>
  scopes
    .slice(0, 12)
    .map((scope) => scope.slice(0, 60))
    .join(", ")

/** The finding as a sentence, with its evidence. */
export const sentence = (finding: KeyAudit.Finding): string => {
  switch (finding.rule) {
    case "used-after-revocation":
      return text(
        "auditUsedAfter",
        Age.moment(finding.evidence.lastUsedAt),
        Age.moment(finding.evidence.revokedAt),
      )
    case "never-used":
      return plural("auditNeverUsed", finding.evidence.days)
    case "unused":
      return plural("auditUnused", finding.evidence.days)
    case "many-scopes":
      return text("auditManyScopes", number(finding.evidence.scopes.length), names(finding.evidence.scopes))
    case "unknown-scopes":
      return text("auditUnknownScopes", names(finding.evidence.scopes))
    case "old":
      return plural("auditOld", finding.evidence.days)
  }
}

/** What the key's owner can do about it. */
export const advice = ({ rule }: KeyAudit.Finding): string => {
  switch (rule) {
    case "used-after-revocation":
      return text("auditUsedAfterAdvice")
    case "never-used":
      return text("auditNeverUsedAdvice")
    case "unused":
      return text("auditUnusedAdvice")
    case "many-scopes":
      return text("auditManyScopesAdvice")
    case "unknown-scopes":
      return text("auditUnknownScopesAdvice")
    case "old":
      return text("auditOldAdvice")
  }
}
