/**
 * Seeded records that look like a real portfolio: scripts, quotes, gaps between ids, undocumented values.
 * Serves Resources and their fields. The same options give the same records on every machine and on every day, because
 * all dates are counted back from `baseTime`. Does not know pages, keys' rights and faults.
 */
import type { Assumptions } from "./Assumptions.ts"
import * as Hurting from "./Hurting.ts"
import { awkwardLabels, keyNames, places } from "./Places.ts"
import * as Random from "./Random.ts"
import { timestamp } from "./Wire.ts"
import type { ApiKey, Contract, Json, JsonObject, Listing } from "./Wire.ts"

/** Everything that the fixtures depend on, so that equal options give equal bytes. */
export interface FixtureOptions {
  readonly contracts: number
  readonly keys: number
  readonly seed: number
  readonly baseTime: number
  readonly hurting: boolean
  readonly assumptions: Assumptions
}

/** A key record and the secret that belongs to it. */
export interface KeyFixture {
  readonly record: ApiKey
  readonly secret: string
}

const minute = 60_000
const day = 1440 * minute
const years = 6 * 365 * day

/** Contracts with ascending ids, oldest first. */
export const contracts = (options: FixtureOptions): ReadonlyArray<Contract> => {
  const random = Random.make(options.seed)
  const at = (ms: number) => timestamp(ms, options.assumptions.timestampDigits)
  const step = years / Math.max(1, options.contracts)
  let id = 1000
  return Array.from({ length: options.contracts }, (_, index) => {
    id += 1 + (random() < 0.2 ? Random.below(random, 4) : 0)
    const createdAt = options.baseTime - years + step * (index + 0.5 * random())
    const updatedAt = random() < 0.3 ? createdAt : createdAt + random() * (options.baseTime - createdAt)
    const listing = random() < 0.06 ? undefined : makeListing(options.seed, 300 + (id >> 1))
    const contract: Contract = {
      id,
      listing_id: listing?.id ?? null,
      kind: random() < 0.7 ? "rent" : random() < 0.8 ? "sale" : "seasonal",
      status: pickStatus(random()),
      created_at: at(createdAt),
      updated_at: at(updatedAt),
      unit_id: makeUnitId(random),
      unit_label: makeUnitLabel(random, id),
      template_id: 1 + Random.below(random, 7),
      ...shapeListing(listing, options.assumptions),
      ...(options.assumptions.unknownMember ? { internal_reference: `R-${id}` } : {}),
    }
    const backwards = options.contracts - 1 - index
    return options.hurting ? hurt(contract, backwards, options.assumptions) : contract
  })
}

/** The member `listing` of a contract as the assumption `listingWhenNone` requires it. */
export const shapeListing = (
  listing: Listing | undefined,
  assumptions: Assumptions,
): { readonly listing?: Listing | null } => {
  if (listing !== undefined) return { listing }
  switch (assumptions.listingWhenNone) {
    case "null":
      return { listing: null }
    case "absent":
      return {}
    case "object":
      return { listing: { id: 0, slug: "", title: "", city: "", area: "" } }
  }
}

/** The payload that `include_data=1` adds to one contract; depends only on seed and id. Spec: Contract, gaps. */
export const payload = (contract: Contract, seed: number): JsonObject => {
  const random = Random.make(seed ^ contract.id)
  return {
    rent: {
      amount: 400 + Random.below(random, 2600),
      currency: Random.pick(random, ["EUR", "JPY", "PLN", "BRL"]),
    },
    deposit_months: Random.below(random, 4),
    parties: Array.from({ length: 1 + Random.below(random, 3) }, (_, index) => ({
      role: index === 0 ? "owner" : "tenant",
      name: Random.pick(random, ["Ελένη Π.", "João S.", 'Jürgen "Jo" K.', "佐藤", "O’Neil, M."]),
    })),
    clauses: random() < 0.5 ? [] : ["No pets", "Quiet hours: 22:00–07:00\nExcept holidays"],
    signed_at: random() < 0.4 ? null : contract.updated_at,
  }
}

/** Key records with ascending ids and their secrets; at least the five roles that `secrets` names. */
export const apiKeys = (options: FixtureOptions): ReadonlyArray<KeyFixture> => {
  const random = Random.make(options.seed ^ 0x5eed)
  const at = (ms: number) => timestamp(ms, options.assumptions.timestampDigits)
  let id = 10
  return Array.from({ length: Math.max(roles.length, options.keys) }, (_, index) => {
    id += 1 + Random.below(random, 3)
    const role = roles[index]
    const createdAt = options.baseTime - (900 - index * 20) * day - random() * day
    const usedAt = createdAt + random() * (options.baseTime - createdAt)
    const revoked = role?.label === "revoked" || (role === undefined && random() < 0.25)
    const hurting = options.hurting ? Hurting.texts[index] : undefined
    const name = role?.name ?? hurting ?? `${Random.pick(random, keyNames)}${index > 20 ? ` ${index}` : ""}`
    return {
      secret: `dk_emulator_${role?.label ?? `extra${index}`}_${Random.hex(random, 24)}`,
      record: {
        id,
        name,
        scopes: role?.scopes ?? allScopes.filter(() => random() < 0.4),
        created_at: at(createdAt),
        last_used_at: random() < 0.3 ? null : at(usedAt),
        revoked_at: revoked ? at(usedAt + random() * (options.baseTime - usedAt)) : null,
      },
    }
  })
}

const named = ["read:api_keys", "read:contracts", "read:me", "read:listings", "read:contact_messages"]

/** The last one is undocumented. Spec: Authentication 5. */
const allScopes = [...named, "read:reports"]

const roles = [
  { label: "full", name: "Everything, read-only", scopes: named },
  { label: "contracts", name: "Nightly export", scopes: ["read:contracts"] },
  { label: "keys", name: "Key audit", scopes: ["read:api_keys"] },
  { label: "none", name: "No scopes yet", scopes: [] },
  { label: "revoked", name: "Old laptop (lost)", scopes: named },
] as const

/** Depends only on seed and id, so that contracts of one listing embed the same summary. */
const makeListing = (seed: number, id: number): Listing => {
  const random = Random.make(seed ^ (id << 8))
  const place = Random.pick(random, places)
  const [area, slug] = Random.pick(random, place.areas)
  const title = Random.pick(random, place.titles)
    .replace("{area}", area)
    .replace("{n}", String(25 + (id % 140)))
  return { id, slug: `${slug}-${id}`, title, city: place.city, area }
}

const pickStatus = (chance: number) =>
  chance < 0.5 ? "active" : chance < 0.85 ? "ended" : chance < 0.97 ? "draft" : "on_hold"

const makeUnitId = (random: Random.Random): Json => {
  const chance = random()
  if (chance < 0.25) return null
  return chance < 0.8 ? 5000 + Random.below(random, 90_000) : `U-${Random.hex(random, 6)}`
}

const makeUnitLabel = (random: Random.Random, id: number) => {
  if (random() < 0.06) return Random.pick(random, awkwardLabels)
  const label = Random.pick(random, Random.pick(random, places).units)
  return random() < 0.5 ? `${label} ${1 + (id % 40)}` : label
}

/** Spreads the hurting texts over the newest contracts, each text under several columns. */
const hurt = (contract: Contract, index: number, assumptions: Assumptions): Contract => {
  const { texts, unitIds, formulas } = Hurting
  if (index >= texts.length) return contract
  const text = (offset: number) => texts[(index + offset) % texts.length] ?? ""
  const listingId = 900_000_000 + contract.id
  const listing = {
    id: listingId,
    slug: `hurting/${index}?a=ä&b`,
    title: text(0),
    city: text(11),
    area: text(23),
  }
  return {
    ...contract,
    ...shapeListing(listing, assumptions),
    listing_id: listingId,
    unit_id: unitIds[index % unitIds.length] ?? null,
    unit_label: text(5),
    ...(index % 7 === 3 ? { kind: formulas[index % formulas.length] ?? "", status: text(2) } : {}),
  }
}
