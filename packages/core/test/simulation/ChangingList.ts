/**
 * A service whose list changes between two requests, in every way that the specification leaves open: the order of the list, what the cursor
 * means, what becomes of a cursor whose record was removed, what else a page leaves out. It knows the truth, which no client sees.
 *
 * Time goes by requests: by default one request is one second of the service's clock.
 */
import { contract } from "../../src/testing/Fixtures.ts"
import type { Send } from "../../src/Transport.ts"

export interface ListModel {
  readonly order: "id down" | "id up" | "updated down" | "updated up" | "fixed" | "label" | "shuffled"
  readonly cursor:
    | "id bound"
    | "id filter"
    | "record"
    | "next id"
    | "offset"
    | "page number"
    | "opaque offset"
    | "opaque page"
    | "opaque key"
    | "opaque snapshot"
    | "opaque cycle"
  /** What becomes of a cursor that names a record which is gone. Default `restart`. */
  readonly missing?: "restart" | "end" | "error"
  readonly size?: number
  /** Ids 1 to n without gaps. */
  readonly dense?: boolean
  /** No record was ever edited before the read. */
  readonly untouched?: boolean
  /** The limit is ignored. */
  readonly fixedPages?: boolean
  /** Records that this key may not see are taken out of pages after they were counted. */
  readonly hides?: boolean
  /** A tenth of the records comes twice side by side. */
  readonly twice?: boolean
  /** Timestamps are cut to the second, and sorted like that; or each is written in another form. Default: milliseconds in UTC. */
  readonly times?: "seconds" | "mixed"
  /** Seconds of the service's clock from one request to the next. Default 1. */
  readonly tick?: number
  /** Updates carry times ahead of the service's own clock. */
  readonly ahead?: boolean
  /** A fifth of the records is not as specified: half of these have an id that can be read. */
  readonly broken?: boolean
  /** Added to all ids. */
  readonly firstId?: number
  /** No `Date` on answers. */
  readonly noClock?: boolean
  /** So much time passes before this request. */
  readonly gap?: { readonly beforeRequest: number; readonly seconds: number }
  /** Cursors are texts of digits. */
  readonly digits?: boolean
  /** A cursor that was not sent by the service is refused. */
  readonly strict?: boolean
  /** Records do not show when they were updated. */
  readonly hidden?: boolean
  /** A last page that is full names a further one, which has no records. */
  readonly eager?: boolean
  /** Each page has its oldest record first. */
  readonly turned?: boolean
}

export interface Changes {
  /** Changes a second: creations, removals and updates in equal parts. */
  readonly rate: number
  /** The chance, each second, that twelve records are removed at once. */
  readonly burst?: number
}

interface Record {
  readonly id: number
  /** The JSON of it, until it changes. */
  json: string | null
  readonly created: number
  readonly fixed: number
  updated: number
  label: number
  version: number
  readonly birth: number
  death: number
}

export const pageLimit = 13
const firstMoment = Date.UTC(2026, 0, 1)
const dateOf = (seconds: number): Date => new Date(firstMoment + Math.round(seconds * 1_000))

/** The same moment in one of the forms that services use. */
const written = (seconds: number, times: ListModel["times"], form: number): string => {
  const text = dateOf(seconds).toISOString()
  if (times === undefined) return text
  if (times === "seconds") return `${text.slice(0, 19)}Z`
  const fraction = text.slice(19, 23).replace(/\.?0+$/, "")
  switch (form % 4) {
    case 0:
      return text
    case 1:
      return `${text.slice(0, 19)}${fraction}Z`
    case 2:
      return `${text.slice(0, 23)}000Z`
    default:
      return `${dateOf(seconds + 7_200)
        .toISOString()
        .slice(0, 19)}${fraction}+02:00`
  }
}

/** A seeded generator (mulberry32). */
const generator = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let value = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
  return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
}

const keys: { readonly [Order in Exclude<ListModel["order"], "shuffled">]: (record: Record) => number } = {
  "id down": (record) => -record.id,
  "id up": (record) => record.id,
  "updated down": (record) => -record.updated,
  "updated up": (record) => record.updated,
  fixed: (record) => record.fixed,
  label: (record) => record.label,
}

export class ChangingList {
  now = 1_000
  requests = 0
  /** Every record that ever was. */
  readonly all = new Map<number, Record>()
  readonly #model: ListModel
  readonly #changes: Changes
  readonly #random: () => number
  readonly #key: (record: Record) => number
  readonly #list: Array<Record> = []
  readonly #opaque = new Map<string, ReadonlyArray<number>>()
  readonly #known = new Set<string>()
  #snapshot: ReadonlyArray<Record> = []
  #nonce = 0
  #lastId: number

  constructor(seed: number, model: ListModel, changes: Changes) {
    this.#model = model
    this.#lastId = model.firstId ?? 0
    this.#changes = changes
    this.#random = generator(seed)
    this.#key = model.order === "shuffled" ? () => 0 : keys[model.order]
    const size = model.size ?? 110
    for (let at = 0; at < size; at++) {
      const created = (at * (model.ahead === true ? 3_200 : 900)) / size
      const isEdited = model.untouched !== true && this.#random() < 0.33
      const updated = isEdited ? created + this.#random() * Math.max(0, 999 - created) : created
      this.#list.push(this.#make(created, this.#model.times === "seconds" ? Math.floor(updated) : updated))
    }
    this.#list.sort((a, b) => this.#key(a) - this.#key(b) || a.id - b.id)
  }

  /** Ids that were there all the time between two moments, and that the key may see and a client can read. */
  idsThroughout(from: number, to: number): ReadonlyArray<number> {
    return [...this.all.values()]
      .filter((record) => record.birth <= from && record.death > to)
      .filter((record) => !this.#isHidden(record) && !this.#isBroken(record))
      .map(({ id }) => id)
  }

  #isHidden({ fixed }: Record): boolean {
    return this.#model.hides === true && fixed < 0.3
  }

  #isBroken({ fixed }: Record): boolean {
    return this.#model.broken === true && fixed < 0.2
  }

  #make(created: number, updated: number): Record {
    this.#lastId += this.#model.dense === true ? 1 : 1 + Math.floor(this.#random() * 4)
    const [fixed, label] = [this.#random(), this.#random()]
    const id = this.#lastId
    const record: Record = {
      id,
      json: null,
      created,
      updated,
      fixed,
      label,
      version: 1,
      birth: this.now,
      death: Infinity,
    }
    this.all.set(record.id, record)
    return record
  }

  /** The time that a change now carries, and that the list is sorted by. */
  get #stamp(): number {
    return this.#model.times === "seconds" ? Math.floor(this.now) : this.now
  }

  #insert(record: Record): void {
    const isAfter = (other: Record): boolean => {
      const difference = this.#key(other) - this.#key(record)
      return difference > 0 || (difference === 0 && other.id > record.id)
    }
    const at = this.#list.findIndex(isAfter)
    this.#list.splice(at < 0 ? this.#list.length : at, 0, record)
  }

  #take(): Record | undefined {
    return this.#list.splice(Math.floor(this.#random() * this.#list.length), 1)[0]
  }

  #remove(): void {
    const record = this.#take()
    if (record !== undefined) record.death = this.now
  }

  #change(): void {
    const kind = this.#random() * 3
    if (kind < 1) return this.#insert(this.#make(this.#stamp, this.#stamp))
    if (kind < 2) return this.#remove()
    const record = this.#take()
    if (record === undefined) return
    record.updated = this.#stamp
    record.version += 1
    record.json = null
    record.label = this.#random()
    this.#insert(record)
  }

  #pass(ticks: number): void {
    const { burst = 0, rate } = this.#changes
    for (let left = ticks; left > 0; left--) {
      this.now += this.#model.tick ?? 1
      if (burst > 0 && this.#random() < burst) for (let n = 0; n < 12; n++) this.#remove()
      for (let left = rate; left > 0; left--) if (this.#random() < Math.min(1, left)) this.#change()
    }
  }

  /** Answers like the service: a transport for the client. */
  readonly send: Send = async ({ url }) => {
    const query = new URL(url).searchParams
    this.requests += 1
    const { gap, noClock = false } = this.#model
    this.#pass(this.requests === gap?.beforeRequest ? gap.seconds : 1)
    const id = query.get("id")
    const limit = query.get("limit")
    const answer =
      id === null
        ? this.#page(query.get("before_id"), limit === null ? pageLimit : Number(limit))
        : this.#one(Number(id))
    const date = dateOf(this.now).toUTCString()
    return {
      status: answer.status,
      header: (name) =>
        name === "date" && !noClock ? date : name === "content-type" ? "application/json" : null,
      text: answer.text,
    }
  }

  #one(id: number): { readonly status: number; readonly text: string } {
    const record = this.all.get(id)
    return record === undefined || record.death !== Infinity || this.#isHidden(record)
      ? { status: 404, text: "{}" }
      : { status: 200, text: `{"ok":true,"contract":${this.#jsonOf(record)}}` }
  }

  #page(cursor: string | null, asked: number): { readonly status: number; readonly text: string } {
    const { digits = false, fixedPages = false, strict = false } = this.#model
    if (cursor !== null && strict && !this.#known.has(cursor)) return { status: 400, text: "{}" }
    const limit = fixedPages ? pageLimit : Math.min(asked, pageLimit)
    const list = this.#listed()
    const start = cursor === null ? this.#begin(list) : this.#find(list, cursor, limit)
    if (start === null) return { status: 400, text: "{}" }
    if (start === "end") return { status: 200, text: '{"ok":true,"items":[],"next_before_id":null}' }
    const items = start.list.slice(start.at, start.at + limit)
    const isFull = items.length === limit
    const next = this.#next(start.list, start.at + items.length, cursor, items.at(-1), isFull)
    const named = typeof next === "number" && digits ? String(next) : next
    if (named !== null) this.#known.add(String(named))
    const shown = items.filter((record) => !this.#isHidden(record))
    if (this.#model.turned === true) shown.reverse()
    const texts = shown.map((record) => this.#jsonOf(record)).join()
    return { status: 200, text: `{"ok":true,"items":[${texts}],"next_before_id":${JSON.stringify(named)}}` }
  }

  #listed(): ReadonlyArray<Record> {
    const { order, twice = false } = this.#model
    if (order === "shuffled") {
      return this.#list
        .map((record) => [this.#random(), record] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, record]) => record)
    }
    return twice
      ? this.#list.flatMap((record) => (record.fixed < 0.1 ? [record, record] : [record]))
      : this.#list
  }

  #begin(list: ReadonlyArray<Record>): { readonly list: ReadonlyArray<Record>; readonly at: number } {
    if (this.#model.cursor === "opaque snapshot") this.#snapshot = [...list]
    return { list: this.#model.cursor === "opaque snapshot" ? this.#snapshot : list, at: 0 }
  }

  #find(
    list: ReadonlyArray<Record>,
    cursor: string,
    limit: number,
  ): { readonly list: ReadonlyArray<Record>; readonly at: number } | "end" | null {
    const { cursor: kind, missing = "restart", order } = this.#model
    const number = Number(cursor)
    const opaque = this.#opaque.get(cursor) ?? [0]
    const from = (isBehind: (record: Record) => boolean) => {
      const at = list.findIndex(isBehind)
      return { list, at: at < 0 ? list.length : at }
    }
    switch (kind) {
      case "offset":
        return { list, at: number }
      case "page number":
        return { list, at: (number - 1) * limit }
      case "opaque offset":
        return { list, at: opaque[0]! }
      case "opaque page":
        return { list, at: (opaque[0]! - 1) * limit }
      case "opaque snapshot":
        return { list: this.#snapshot, at: opaque[0]! }
      case "opaque key":
      case "opaque cycle":
        return from((record) => {
          const difference = this.#key(record) - opaque[0]!
          return difference > 0 || (difference === 0 && record.id > opaque[1]!)
        })
      case "id filter":
        return { list: list.filter(({ id }) => id < number), at: 0 }
      case "id bound":
        return from(({ id }) => (order === "id up" ? id > number : id < number))
      case "next id":
        return from(({ id }) => (order === "id up" ? id >= number : id <= number))
      case "record": {
        const at = list.findIndex(({ id }) => id === number)
        if (at >= 0) return { list, at: at + 1 }
        return missing === "error" ? null : missing === "end" ? "end" : { list, at: 0 }
      }
    }
  }

  #next(
    list: ReadonlyArray<Record>,
    end: number,
    cursor: string | null,
    last: Record | undefined,
    isFull: boolean,
  ): number | string | null {
    const { cursor: kind, eager = false } = this.#model
    if ((end >= list.length && !(eager && isFull)) || last === undefined) {
      return kind === "opaque cycle" ? this.#token([-Infinity, 0]) : null
    }
    switch (kind) {
      case "offset":
        return end
      case "page number":
        return Number(cursor ?? 1) + 1
      case "opaque page":
        return this.#token([(cursor === null ? 1 : this.#opaque.get(cursor)![0]!) + 1])
      case "opaque offset":
      case "opaque snapshot":
        return this.#token([end])
      case "opaque key":
      case "opaque cycle":
        return this.#token([this.#key(last), last.id])
      case "next id":
        return list[end]!.id
      default:
        return last.id
    }
  }

  #token(value: ReadonlyArray<number>): string {
    this.#nonce += 7_919
    const text = `t${this.#nonce}x`
    this.#opaque.set(text, value)
    return text
  }

  #jsonOf(record: Record): string {
    const { created, fixed, id, label, updated, version } = record
    const { hidden = false, times } = this.#model
    record.json ??= JSON.stringify({
      ...contract(),
      id: this.#isBroken(record) && fixed < 0.1 ? null : id,
      kind: this.#isBroken(record) ? 7 : "rent",
      created_at: written(created, times, id),
      updated_at: written(hidden ? created : updated, times, id + version),
      unit_label: label.toFixed(6),
    })
    return record.json
  }
}
