/**
 * Compares some records of a mirror with the service, by id. It can show that a mirror is wrong, but not that it is right.
 *
 * Only members that both have are compared: the retrieve form can have other members than the list (Spec: Endpoints, rows 2 and 4).
 */
import type { ClientError, PropertyClient } from "@deedkit/core"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import { askIdentity } from "./SyncAccount.ts"
import type { MirrorStore, Sampled } from "./MirrorStore.ts"
import type { Caller } from "./Account.ts"
import type { Collection } from "./RunRow.ts"
import { isAboutRecord } from "./Removals.ts"
import type { SyncError } from "./SyncError.ts"
import { changedMembers, valueAt } from "./Version.ts"

/** The options of a verification. */
export interface VerifyOptions {
  readonly store: MirrorStore
  /** A client with the key of the account. */
  readonly client: PropertyClient.Service
  readonly account: string
  /** The lists to sample. Default: contracts and API keys. */
  readonly collections?: ReadonlyArray<Collection> | undefined
  /** Largest number of records of each list. Default 20. */
  readonly sample?: number | undefined
}

/** A record that differs from the mirror without a later `updated_at` that explains it, or whose text was changed in the mirror. */
export interface Difference {
  readonly collection: Collection
  readonly id: number
  /** The members that differ. Empty if the text that was changed in the mirror has no members to compare. */
  readonly members: ReadonlyArray<string>
}

/** The result of a verification. */
export interface Verified {
  readonly account: string
  /** Records that were compared. */
  readonly compared: number
  readonly same: number
  /** Records with a later `updated_at`: changed since the sync. API keys have none; if they differ, they count as changed. */
  readonly changed: number
  /** Records that the service no longer knows: removed since the sync. */
  readonly gone: number
  /** Records that could not be compared, because the answer is not as specified. */
  readonly unreadable: number
  readonly different: ReadonlyArray<Difference>
}

type Finding = "same" | "changed" | "gone" | "unreadable" | Difference

/** Requests under way at once. The rate limiter of the key applies too. */
const concurrency = 4

const ofUse = "last_used_at"

const sharedBy = (before: Json.Json, now: Json.Json): readonly [string, string] => {
  if (!Json.isObject(before) || !Json.isObject(now)) return [Json.stringify(before), Json.stringify(now)]
  const names = Object.keys(before).filter((name) => Object.hasOwn(now, name) && name !== ofUse)
  const only = (record: { readonly [member: string]: Json.Json }) =>
    Json.stringify(Object.fromEntries(names.map((name) => [name, record[name]])))
  return [only(before), only(now)]
}

/** The record of a mirror; null for a text that was changed to something that is not JSON. */
const recordOf = (body: string): Json.Json => {
  try {
    return Json.parse(body)
  } catch {
    return null
  }
}

/** Milliseconds; NaN, which is not later than anything, if there is no such time. */
const updatedAt = (record: Json.Json): number => {
  const moment = valueAt(record, "updated_at")
  return typeof moment === "string" ? Date.parse(moment) : Number.NaN
}

const compare = (collection: Collection, { body, id, isIntact }: Sampled, record: object): Finding => {
  const known = recordOf(body)
  const now = record as Json.Json
  const members = Json.isObject(known) ? changedMembers(...sharedBy(known, now)) : []
  if (!isIntact) return { collection, id, members }
  if (members.length === 0) return "same"
  // A key has no `updated_at`.
  const isExplained = collection === "api-keys" || updatedAt(now) > updatedAt(known)
  return isExplained ? "changed" : { collection, id, members }
}

const verifyList = <A extends { readonly id: number }, O>(
  collection: Collection,
  records: PropertyClient.Records<A, O>,
  sampled: ReadonlyArray<Sampled>,
): Effect.Effect<ReadonlyArray<Finding>, ClientError.ClientError> =>
  Effect.forEach(
    sampled,
    (each) =>
      Effect.matchEffect(records.get(each.id), {
        onSuccess: (record): Effect.Effect<Finding, ClientError.ClientError> =>
          Effect.succeed(compare(collection, each, record)),
        onFailure: (error): Effect.Effect<Finding, ClientError.ClientError> =>
          error.reason._tag === "NotFound"
            ? Effect.succeed("gone")
            : isAboutRecord(error.reason)
              ? Effect.succeed("unreadable")
              : Effect.fail(error),
      }),
    { concurrency },
  )

/** Reads a sample of the mirror's records again, by id, and compares. Changes nothing. */
export const verifyAccount = Effect.fnUntraced(function* ({
  account,
  client,
  collections = ["contracts", "api-keys"],
  sample = 20,
  store,
}: VerifyOptions): Effect.fn.Return<Verified, ClientError.ClientError | SyncError> {
  const { base } = client.config
  const caller: Caller = {
    account,
    baseUrl: base,
    identity: yield* askIdentity(client),
    isConfirmed: false,
  }
  const findings: Array<Finding> = []
  for (const collection of collections) {
    const sampled = yield* store.sample(caller, collection, sample)
    findings.push(
      ...(yield* collection === "contracts"
        ? verifyList(collection, client.contracts, sampled)
        : verifyList(collection, client.apiKeys, sampled)),
    )
  }
  const count = (wanted: Finding): number => findings.filter((each) => each === wanted).length
  return {
    account,
    compared: findings.length,
    same: count("same"),
    changed: count("changed"),
    gone: count("gone"),
    unreadable: count("unreadable"),
    different: findings.filter((each) => typeof each !== "string"),
  }
})
