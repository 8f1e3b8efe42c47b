/**
 * The data that tests compare with: every record as it is served, the secrets, and the changes.
 * Serves Resources and their fields. Does not know requests, pages and faults.
 */
import * as Clock from "./Clock.ts"
import * as Collection from "./Collection.ts"
import * as Fixtures from "./Fixtures.ts"
import type { FixtureOptions } from "./Fixtures.ts"
import { timestamp } from "./Wire.ts"
import type { ApiKey, Contract, JsonObject } from "./Wire.ts"

/** Secrets of five key records; any other text is a wrong key. */
export interface Secrets {
  /** All scopes that the specification names. */
  readonly full: string
  readonly contractsOnly: string
  readonly keysOnly: string
  readonly noScopes: string
  readonly revoked: string
}

/** Records and their changes. */
export interface Store {
  /** All contracts in the order in which lists serve them; a change makes a new array. */
  readonly contracts: ReadonlyArray<Contract>
  /** All key records in the order in which lists serve them; a change makes a new array. */
  readonly apiKeys: ReadonlyArray<ApiKey>
  readonly contract: (id: number) => Contract | undefined
  readonly apiKey: (id: number) => ApiKey | undefined
  /** The key record that a secret belongs to. */
  readonly keyOf: (secret: string) => ApiKey | undefined
  /** The payload that `include_data=1` adds to this contract. */
  readonly payloadOf: (contract: Contract) => JsonObject
  /** Adds a contract with the next free id, stamped by the clock; given members take precedence. */
  readonly insert: (given?: Partial<Contract>) => Contract
  /** Changes a contract and stamps `updated_at` by the clock unless given. Throws `RangeError` for an unknown id. */
  readonly update: (id: number, given: Partial<Contract>) => Contract
  /** Removes a contract; false when there is none. */
  readonly remove: (id: number) => boolean
  /** Adds a key record with a new secret, or the given one. */
  readonly insertKey: (
    given?: Partial<ApiKey>,
    secret?: string,
  ) => { readonly record: ApiKey; readonly secret: string }
  /** Changes a key record. Throws `RangeError` for an unknown id. */
  readonly updateKey: (id: number, given: Partial<ApiKey>) => ApiKey
  readonly removeKey: (id: number) => boolean
  /** Sets `revoked_at` by the clock. Throws `RangeError` for an unknown id. */
  readonly revoke: (keyId: number) => ApiKey
}

/** The collections that the routes need in addition. */
export interface Tables {
  readonly contracts: Collection.Collection<Contract>
  readonly apiKeys: Collection.Collection<ApiKey>
}

/** A store, and what the emulator needs in addition to it. */
export interface Stocked {
  readonly store: Store
  readonly tables: Tables
  readonly secrets: Secrets
  /** Whether a text is, or was, the secret of a key record. */
  readonly isSecret: (text: string) => boolean
}

/** Fills a store with fixtures. */
export const make = (options: FixtureOptions, clock: Clock.Clock): Stocked => {
  const { assumptions, seed } = options
  const keys = Fixtures.apiKeys(options)
  const tables: Tables = {
    contracts: Collection.make(Fixtures.contracts(options), assumptions, seed),
    apiKeys: Collection.make(
      keys.map((key) => key.record),
      assumptions,
      seed,
    ),
  }
  const secretToId = new Map(keys.map((key) => [key.secret, key.record.id]))
  const [full, contractsOnly, keysOnly, noScopes, revoked] = keys.map((key) => key.secret)
  if (
    full === undefined ||
    contractsOnly === undefined ||
    keysOnly === undefined ||
    noScopes === undefined ||
    revoked === undefined
  ) {
    throw new RangeError("the fixtures must hold one key for each role")
  }
  return {
    store: makeStore(tables, secretToId, options, clock),
    tables,
    secrets: { full, contractsOnly, keysOnly, noScopes, revoked },
    isSecret: (text) => secretToId.has(text),
  }
}

const makeStore = (
  tables: Tables,
  secretToId: Map<string, number>,
  { assumptions, seed }: FixtureOptions,
  clock: Clock.Clock,
): Store => {
  const now = () => timestamp(clock.now(), assumptions.timestampDigits)
  const stored = <R extends Collection.Orderable>(table: Collection.Collection<R>, record: R): R => {
    table.put(record)
    return record
  }
  const existing = <R>(record: R | undefined, what: string, id: number): R => {
    if (record === undefined) throw new RangeError(`the store has no ${what} ${id}`)
    return record
  }
  const updateKey = (id: number, given: Partial<ApiKey>) =>
    stored(tables.apiKeys, { ...existing(tables.apiKeys.get(id), "API key", id), ...given, id })

  return {
    get contracts() {
      return tables.contracts.records()
    },
    get apiKeys() {
      return tables.apiKeys.records()
    },
    contract: tables.contracts.get,
    apiKey: tables.apiKeys.get,
    keyOf: (secret) => {
      const id = secretToId.get(secret)
      return id === undefined ? undefined : tables.apiKeys.get(id)
    },
    payloadOf: (contract) => Fixtures.payload(contract, seed),
    insert: (given = {}) =>
      stored(tables.contracts, {
        id: tables.contracts.nextId(),
        listing_id: null,
        kind: "rent",
        status: "draft",
        created_at: now(),
        updated_at: now(),
        unit_id: null,
        unit_label: "New unit",
        template_id: 1,
        ...Fixtures.shapeListing(undefined, assumptions),
        ...given,
      }),
    update: (id, given) => {
      const known = existing(tables.contracts.get(id), "contract", id)
      return stored(tables.contracts, { ...known, updated_at: now(), ...given, id })
    },
    remove: (id) => tables.contracts.remove(id) !== undefined,
    insertKey: (given = {}, secret) => {
      const record = stored(tables.apiKeys, {
        id: tables.apiKeys.nextId(),
        name: "New key",
        scopes: [],
        created_at: now(),
        last_used_at: null,
        revoked_at: null,
        ...given,
      })
      const itsSecret = secret ?? `dk_emulator_inserted_${record.id}`
      secretToId.set(itsSecret, record.id)
      return { record, secret: itsSecret }
    },
    updateKey,
    removeKey: (id) => tables.apiKeys.remove(id) !== undefined,
    revoke: (keyId) => updateKey(keyId, { revoked_at: now() }),
  }
}
