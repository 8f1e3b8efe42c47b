/**
 * Schema drift: contents of records that the specification does not name, such as new members, kinds, statuses and scopes, or unusual
 * timestamps. Each is reported once per client, by path and type. Values of open enumerations are reported, values of records never.
 */
import * as ApiKey from "../ApiKey.ts"
import * as Contract from "../Contract.ts"
import { typeName } from "../Json.ts"
import type { CollectionName } from "./serviceRequest.ts"
import { isDocumented } from "../Timestamp.ts"
import type { Anomaly } from "../Page.ts"
import type { Emit } from "../ClientEvent.ts"
import type { Redact } from "./redaction.ts"

/** Counts an anomaly. */
export type Note = (anomaly: Anomaly, detail: string) => void
/** Looks at one record; `open`: some record of the page has undocumented members. */
export type Observer<A> = (record: A, note: Note, open: boolean) => void

/** Reports each path once. */
const firstSight = (emit: Emit, redact: Redact, collection: CollectionName) => {
  const reported = new Set<string>()
  return (path: string, found: string): void => {
    const sight = `${path} ${found}`
    if (reported.has(sight) || reported.size >= 200) return
    reported.add(sight)
    emit({ _tag: "SchemaDrift", collection, path: redact(path).slice(0, 100), found })
  }
}

const reportMembers = (
  record: object,
  documented: ReadonlyArray<string>,
  prefix: string,
  report: (path: string, found: string) => void,
): void => {
  for (const [member, value] of Object.entries(record)) {
    if (!documented.includes(member)) report(prefix + member, typeName(value))
  }
}

/** Reports each value of an open enumeration that is not among the known ones, once, cut to 40 characters. */
const firstValues = (
  report: (path: string, found: string) => void,
  redact: Redact,
  path: string,
  known: ReadonlySet<string>,
): ((value: string) => void) => {
  const seen = new Set(known)
  return (value) => {
    if (seen.has(value) || seen.size >= 200) return
    seen.add(value)
    report(path, JSON.stringify(redact(value).slice(0, 40)))
  }
}

/** A checked timestamp of this length and end has the documented form; only other timestamps need a closer look. */
const isUsualForm = (timestamp: string): boolean =>
  (timestamp.length === 20 && timestamp.charCodeAt(19) === 90) || isDocumented(timestamp)

/** Whether a contract has members of unknown type that are worth an exact reading. */
export const hasOpenContractMembers = (contract: Contract.Contract): boolean =>
  (typeof contract.unit_id !== "string" &&
    contract.unit_id !== null &&
    !Number.isSafeInteger(contract.unit_id)) ||
  Contract.hasExtra(contract)

/** Makes the observer of contracts. */
export const contracts = (emit: Emit, redact: Redact): Observer<Contract.Contract> => {
  const report = firstSight(emit, redact, "contracts")
  const kinds = firstValues(report, redact, "kind", Contract.knownKinds)
  const statuses = firstValues(report, redact, "status", Contract.knownStatuses)
  return (contract, note, open) => {
    const { kind, listing, status } = contract
    if (open) {
      reportMembers(contract, Contract.members, "", report)
      if (listing) reportMembers(listing, Contract.listingMembers, "listing.", report)
    }
    // Comparing is cheaper than a set, which would hash every text.
    if (kind !== "rent" && kind !== "sale") kinds(kind)
    if (status !== "active" && status !== "ended" && status !== "draft") statuses(status)
    if (!isUsualForm(contract.created_at)) note("timestamp-form", "created_at is not UTC with a trailing Z")
    if (!isUsualForm(contract.updated_at)) note("timestamp-form", "updated_at is not UTC with a trailing Z")
    if (listing && contract.listing_id !== null && listing.id !== contract.listing_id) {
      note("listing-id-differs", "listing.id is not listing_id")
    }
  }
}

/** Makes the observer of API keys. */
export const apiKeys = (emit: Emit, redact: Redact): Observer<ApiKey.ApiKey> => {
  const report = firstSight(emit, redact, "api-keys")
  const scopes = firstValues(report, redact, "scopes[]", ApiKey.knownScopes)
  return (key, note, open) => {
    if (open) reportMembers(key, ApiKey.members, "", report)
    for (const scope of key.scopes) scopes(scope)
    for (const member of ["created_at", "last_used_at", "revoked_at"] as const) {
      const value = key[member]
      if (value !== null && !isDocumented(value))
        note("timestamp-form", `${member} is not UTC with a trailing Z`)
    }
  }
}
