/**
 * The records that a read has returned or rejected before: it returns each id once, and again only in a newer version, and rejects it once.
 */
import type { Identified, RawPage } from "./answer.ts"
import { stringify } from "../Json.ts"
import { sortKey, sortKeyOf } from "../Timestamp.ts"
import type { RejectedRecord } from "../Page.ts"

/** The valid records of a page, grouped by how they are handled. */
export interface Separated<A> {
  readonly records: ReadonlyArray<A>
  /** The records that were returned before, and those of them in a newer version. */
  readonly repeated: ReadonlyArray<A>
  readonly superseded: ReadonlyArray<A>
}

/** Records that are told apart by their text, at most: an export stops long before. */
const mostTexts = 10_000

export class SeenRecords<A extends Identified> {
  readonly ids = new SeenIds()
  /** The returned version of records that can come again in a newer one: the time of the update, or else the version. */
  readonly #versions = new Map<number, string>()
  /** Records updated before this time cannot have changed since they were returned. By the service's clock where it is known. */
  #changesSince: string
  readonly #rejected = new Set<number | string>()

  /** `changesSince`: when the read began, or ended before it was resumed; `recent`: the last ids that it returned before. */
  constructor(changesSince: string, recent: ReadonlyArray<number>) {
    this.#changesSince = sortKey(changesSince)
    for (const id of recent) this.ids.add(id)
  }

  /** Whether a record with this id came before, as specified or not. */
  readonly has = (id: number): boolean => this.ids.has(id) || this.#rejected.has(id)

  /** Sets the start by the service's clock at the first answer, in epoch milliseconds, and how long that answer took. */
  startAt(serviceMillis: number | null, tookMillis: number): void {
    if (serviceMillis === null) return
    const start = sortKeyOf(serviceMillis - tookMillis - 1_000)
    if (start < this.#changesSince) this.#changesSince = start
  }

  /**
   * The rejected records of a page that are to be reported: each id once, and none that was returned before. Those without an id are told apart by
   * their text where records come again on purpose.
   */
  reject(rejected: ReadonlyArray<RejectedRecord>, isAgain = false): ReadonlyArray<RejectedRecord> {
    return rejected.filter(({ id, raw }) => {
      const name = id ?? stringify(raw)
      // A record that was returned already is not lost when it comes again in an invalid form.
      const isNew = id === null ? !(isAgain && this.#rejected.has(name)) : !this.has(id)
      if (id !== null || this.#rejected.size < mostTexts) this.#rejected.add(name)
      return isNew
    })
  }

  /** Separates the valid records of a page that come for the first time from those that came before. A page of new records is not copied. */
  separate({ model, valid }: Pick<RawPage<A>, "model" | "valid">): Separated<A> {
    let fresh: Array<A> | null = null
    const repeated: Array<A> = []
    const superseded: Array<A> = []
    let firstOnPage: Map<number, A> | null = null
    for (let index = 0; index < valid.length; index++) {
      const record = valid[index]!
      const updated = model.updatedAt(record)
      if (this.ids.add(record.id)) {
        fresh?.push(record)
        if (updated >= this.#changesSince) this.#versions.set(record.id, updated)
        else if (updated === "") this.#versions.set(record.id, model.version(record))
        continue
      }
      fresh ??= valid.slice(0, index)
      repeated.push(record)
      firstOnPage ??= new Map(valid.toReversed().map((each) => [each.id, each]))
      const first = firstOnPage.get(record.id)!
      const before = first === record ? "" : model.updatedAt(first)
      if (this.#isNewer(record, updated, before, model)) superseded.push(record)
    }
    return { records: fresh ?? valid, repeated, superseded }
  }

  /** `before`: when the copy that came first on the same page was updated; empty for none. */
  #isNewer(record: A, updated: string, before: string, model: RawPage<A>["model"]): boolean {
    const known = this.#versions.get(record.id)
    const earlier = known ?? before
    const version = updated === "" ? model.version(record) : updated
    const isNewer =
      updated === ""
        ? known !== undefined && known !== version
        : updated > earlier && (earlier !== "" || updated >= this.#changesSince)
    if (isNewer) this.#versions.set(record.id, version)
    return isNewer
  }
}

/** Small, because most lists are short and a sync reads those of thousands of accounts. */
const blockSize = 512

/** Ids in order, each as its distance from the block's first. */
interface Block {
  readonly base: number
  readonly distances: Int32Array
}

const fits = (distance: number): boolean => (distance | 0) === distance

export class SeenIds {
  readonly #log: Array<Block> = []
  #length = 0
  #last = 0
  /** 1 ascending, -1 descending, 0 not known yet. */
  #direction = 0
  readonly #others = new Set<number>()

  /** Adds an id; false when it was there already. */
  add(id: number): boolean {
    const step = this.#length === 0 ? 0 : Math.sign(id - this.#last)
    if (this.#length < 2 && step !== 0) this.#direction = step
    if (this.#length > 0 && (step === 0 || step !== this.#direction)) {
      return !this.#isLogged(id) && this.#addOther(id)
    }
    if (this.#others.size > 0 && this.#others.has(id)) return false
    const at = this.#length % blockSize
    if (at === 0) this.#log.push({ base: id, distances: new Int32Array(blockSize) })
    const { base, distances } = this.#log[this.#log.length - 1]!
    if (!fits(id - base)) return this.#addOther(id)
    distances[at] = id - base
    this.#length += 1
    this.#last = id
    return true
  }

  has(id: number): boolean {
    return (this.#length > 0 && this.#isLogged(id)) || this.#others.has(id)
  }

  forEach(visit: (id: number) => void): void {
    for (let at = 0; at < this.#length; at++) {
      const { base, distances } = this.#log[Math.floor(at / blockSize)]!
      visit(base + distances[at % blockSize]!)
    }
    this.#others.forEach(visit)
  }

  #addOther(id: number): boolean {
    const before = this.#others.size
    return this.#others.add(id).size > before
  }

  #isLogged(id: number): boolean {
    let low = 0
    let high = this.#length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const { base, distances } = this.#log[Math.floor(middle / blockSize)]!
      const there = base + distances[middle % blockSize]!
      if (there === id) return true
      if ((there - id) * this.#direction < 0) low = middle + 1
      else high = middle - 1
    }
    return false
  }
}
