/**
 * Decides whether a caller is the account that a mirror holds under its name. Pure: both stores call it inside their transaction.
 */
import type { Identity } from "./Identity.ts"
import { compare } from "./Identity.ts"
import type { Caller } from "./MirrorStore.ts"
import type { SyncError } from "./SyncError.ts"
import { syncError } from "./SyncError.ts"

/** The owner of the records that a mirror holds under a name. */
export interface Owner {
  readonly baseUrl: string
  /** Null before the first page. */
  readonly keyFingerprint: string | null
  readonly identity: Identity | null
}

/** Why a caller is refused, judged by its address and `/v1/me/`; null if they show nothing against it. */
export const refusal = (
  owner: Owner,
  { account, baseUrl, identity, isConfirmed }: Caller,
): SyncError | null => {
  if (isConfirmed || owner.keyFingerprint === null) return null
  if (owner.baseUrl !== baseUrl) return syncError({ _tag: "OtherAccount", account, differs: "address" })
  return compare(owner.identity, identity) === "other"
    ? syncError({ _tag: "OtherAccount", account, differs: "caller" })
    : null
}

/**
 * The consequence of a page with this key: `kept`, nothing is new about the owner; `new`, its key, address or identity is to be noted; or the error
 * with which the page is refused. A new key whose owner is not known is refused, unless the caller is confirmed.
 */
export const ownership = (
  owner: Owner,
  caller: Caller,
  keyFingerprint: string,
): "kept" | "new" | SyncError => {
  const refused = refusal(owner, caller)
  if (refused !== null) return refused
  const { account, baseUrl, identity, isConfirmed } = caller
  if (owner.keyFingerprint === keyFingerprint && owner.baseUrl === baseUrl)
    return identity === null || owner.identity !== null ? "kept" : "new"
  const isKnown = owner.keyFingerprint === null || isConfirmed || compare(owner.identity, identity) === "same"
  return isKnown ? "new" : syncError({ _tag: "OtherAccount", account, differs: "key" })
}
