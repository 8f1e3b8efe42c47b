/**
 * The contracts that every case writes: pages of 500, the same on every machine. Of the listings' titles 23 % need quotes in CSV and 4 %
 * begin like a formula; they are Greek, Chinese, Japanese, Arabic, or hold an emoji.
 *
 * Texts come from JSON, like those of a service. A text is repeated after 20,000 rows, which is longer than any writer remembers, so that only
 * cities, kinds and similar values are frequent.
 */
import type { Contract } from "@deedkit/core"

export type Pages = () => Iterable<ReadonlyArray<Contract.Contract>>
/** Receives the bytes of the file in order. */
export type Put = (bytes: Uint8Array) => void

const pageSize = 500

const distinct = 20_000
/** Has no divisor in common with `distinct`, so that adjacent records are far apart in it. */
const stride = 7_919

const places: ReadonlyArray<readonly [city: string, area: string]> = [
  ["Αθήνα", "Κολωνάκι"],
  ["Θεσσαλονίκη", "Άνω Πόλη"],
  ["東京", "世田谷区"],
  ["القاهرة", "الزمالك"],
  ["São Paulo", "Vila Madalena"],
  ["Łódź", "Śródmieście"],
  ["Zürich", "Seefeld"],
  ["New York", "Lower East Side"],
  ["Berlin", "Prenzlauer Berg"],
  ["서울", "마포구"],
]
const plain = [
  "Διαμέρισμα με θέα",
  "Στούντιο στο κέντρο",
  "庭付き一戸建て",
  "駅近マンション",
  "شقة مفروشة",
  "Sunny loft",
  "Altbau am Park",
  "Cosy house by the river",
  "Apartamento com varanda",
  "Garden flat 🌿",
]
const quoted = ['Loft "Aurora", 3rd floor', "Studio, furnished", "Μονοκατοικία, κήπος", "Flat\nwith balcony"]
const formulas = ["=SUM of all rooms", "+49 170 555 01", "-Souterrain-", "@home studio"]
const kinds = ["rent", "rent", "rent", "sale", "seasonal"]
const statuses = ["active", "active", "active", "ended", "draft"]

const of = <A>(list: ReadonlyArray<A>, at: number): A => list[at % list.length]!

/** A pseudorandom number, the same for the same position and purpose. */
const chance = (at: number, purpose: number): number => {
  const mixed = Math.imul(Math.imul(at + 1, 0x9e3779b1) ^ (purpose * 0x85ebca6b), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

const titleOf = (at: number): string => {
  const percent = at % 100
  const texts = percent < 4 ? formulas : percent < 27 ? quoted : plain
  return `${of(texts, chance(at, 1))} ${at}`
}

const timestamp = (seconds: number): string => `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`

const contractOf = (at: number): Contract.Contract => {
  const [city, area] = of(places, chance(at, 2))
  const created = 1_577_836_800 + (chance(at, 3) % 180_000_000)
  const id = 300 + at
  const listing = { id, slug: `listing-${id}-${at % 97}`, title: titleOf(at), city, area }
  const unit = chance(at, 4) % 5
  return {
    id: 0,
    listing_id: id,
    kind: of(kinds, chance(at, 5)),
    status: of(statuses, chance(at, 6)),
    created_at: timestamp(created),
    updated_at: timestamp(created + (chance(at, 7) % 9_000_000)),
    unit_id: unit === 0 ? null : unit === 1 ? `U-${at}` : 40_000 + at,
    unit_label: `Unit ${at % 977}-${at % 31}`,
    template_id: 1 + (at % 7),
    listing: chance(at, 8) % 16 === 0 ? null : listing,
  }
}

/** Makes the pages of this many contracts; ids go down to 1. Data that the pages share is made in advance. */
export const prepare = (rows: number): Pages => {
  const made = Array.from({ length: Math.min(distinct, rows) }, (_, at) => contractOf(at))
  const pool: ReadonlyArray<Contract.Contract> = JSON.parse(JSON.stringify(made))
  return function* () {
    for (let from = 0; from < rows; from += pageSize) {
      const page: Array<Contract.Contract> = []
      for (let at = from; at < Math.min(from + pageSize, rows); at++) {
        page.push({ ...pool[(at * stride) % pool.length]!, id: rows - at })
      }
      yield page
    }
  }
}
