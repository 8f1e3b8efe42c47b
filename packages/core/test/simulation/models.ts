/** The kinds of services that completeness is shown for, and how busy they are. */
import type { Changes, ListModel } from "./ChangingList.ts"

type Model = ListModel & {
  /** A list that never rests under a cursor by position, or in an order by a text that is edited. */
  readonly positional?: boolean
}

const model = (
  order: ListModel["order"],
  cursor: ListModel["cursor"],
  more: Omit<Model, "order" | "cursor"> = {},
): Model => ({
  order,
  cursor,
  ...more,
})

const positional = { positional: true }

/** An order by updates that looks like one by id: nothing was updated before, and records do not show it. */
const activity = { untouched: true, hidden: true }

export const models: { readonly [name: string]: Model } = {
  "id down, id bound": model("id down", "id bound"),
  "id up, id bound": model("id up", "id bound"),
  "id up 1..n, id bound": model("id up", "id bound", { dense: true }),
  "id down, digits as text": model("id down", "id bound", { digits: true }),
  "id down, next id": model("id down", "next id"),
  "id down, id bound, own cursors only": model("id down", "id bound", { strict: true }),
  "id down, named record, gone: ends": model("id down", "record", { missing: "end" }),
  "id down, named record, gone: restarts": model("id down", "record", { missing: "restart" }),
  "id down, offset": model("id down", "offset", positional),
  "id up, offset": model("id up", "offset", positional),
  "id up 1..n, offset": model("id up", "offset", { dense: true, ...positional }),
  "id down, offset, own cursors only": model("id down", "offset", { strict: true, ...positional }),
  "fixed, offset": model("fixed", "offset", positional),
  "label, offset": model("label", "offset", positional),
  "updated down, offset": model("updated down", "offset", positional),
  "updated up, offset": model("updated up", "offset", positional),
  "updated down, never edited, offset": model("updated down", "offset", { untouched: true, ...positional }),
  "updated down, offset, no clock": model("updated down", "offset", { noClock: true, ...positional }),
  "id down, offset, no clock": model("id down", "offset", { noClock: true, ...positional }),
  "id down, page number": model("id down", "page number", positional),
  "updated down, page number": model("updated down", "page number", positional),
  "id down, opaque key": model("id down", "opaque key"),
  "updated down, opaque key": model("updated down", "opaque key", positional),
  "label, opaque key": model("label", "opaque key", positional),
  "id down, opaque offset": model("id down", "opaque offset", positional),
  "id down, opaque page": model("id down", "opaque page", positional),
  "updated down, opaque offset": model("updated down", "opaque offset", positional),
  "fixed, opaque offset": model("fixed", "opaque offset", positional),
  "label, opaque offset": model("label", "opaque offset", positional),
  "id down, opaque snapshot": model("id down", "opaque snapshot"),
  "updated down, named record": model("updated down", "record", { missing: "restart", ...positional }),
  "updated down, filter by id": model("updated down", "id filter", positional),
  "id down, offset, records hidden": model("id down", "offset", { hides: true, ...positional }),
  "id down, offset, records twice": model("id down", "offset", { twice: true, ...positional }),
  "id down, opaque offset, limit ignored": model("id down", "opaque offset", {
    fixedPages: true,
    ...positional,
  }),
  "id down, id bound, pause": model("id down", "id bound", { gap: { beforeRequest: 7, seconds: 150 } }),
  "id down, offset, pause": model("id down", "offset", {
    gap: { beforeRequest: 7, seconds: 150 },
    ...positional,
  }),
  "updated down, offset, pause": model("updated down", "offset", {
    gap: { beforeRequest: 7, seconds: 150 },
    ...positional,
  }),
  "updated up, offset, times ahead": model("updated up", "offset", { ahead: true, size: 400, ...positional }),
  "updated down, offset, times to the second": model("updated down", "offset", {
    times: "seconds",
    tick: 0.125,
    ...positional,
  }),
  "updated up, offset, times to the second": model("updated up", "offset", {
    times: "seconds",
    tick: 0.125,
    ...positional,
  }),
  "updated down, offset, times in every form": model("updated down", "offset", {
    times: "mixed",
    ...positional,
  }),
  "updated up, offset, times in every form": model("updated up", "offset", { times: "mixed", ...positional }),
  "updated down, opaque key, times in every form": model("updated down", "opaque key", {
    times: "mixed",
    ...positional,
  }),
  "id down, id bound, records broken": model("id down", "id bound", { broken: true }),
  "id down, named record, records broken": model("id down", "record", { broken: true }),
  "id up, next id, records broken": model("id up", "next id", { broken: true }),
  "id down, offset, records broken": model("id down", "offset", { broken: true, ...positional }),
  "updated down, offset, records broken": model("updated down", "offset", { broken: true, ...positional }),
  "updated up, offset, records broken": model("updated up", "offset", { broken: true, ...positional }),
  "id down, opaque key, records broken": model("id down", "opaque key", { broken: true }),
  "id up, id bound, the largest ids": model("id up", "id bound", { firstId: 9_007_199_254_740_000 }),
  "id down, next id, the largest ids as text": model("id down", "next id", {
    firstId: 9_007_199_254_740_000,
    digits: true,
  }),
  "id up, offset, as text": model("id up", "offset", { digits: true, ...positional }),
  "id down, id bound, ends with an empty page": model("id down", "id bound", { eager: true, size: 117 }),
  "id up 1..n, id bound, ends with an empty page": model("id up", "id bound", {
    dense: true,
    eager: true,
    size: 117,
  }),
  "id down, named record, empty page, gone: ends": model("id down", "record", {
    eager: true,
    missing: "end",
    size: 117,
  }),
  "id down, offset, ends with an empty page": model("id down", "offset", {
    eager: true,
    size: 117,
    ...positional,
  }),
  "id down, id bound, pages turned": model("id down", "id bound", { turned: true }),
  "id down, id bound, pages turned, empty page": model("id down", "id bound", {
    turned: true,
    eager: true,
    size: 117,
  }),
  "id down, offset, pages turned": model("id down", "offset", { turned: true, ...positional }),
  "activity down, quiet before, offset": model("updated down", "offset", { ...activity, ...positional }),
  "activity up, quiet before, offset": model("updated up", "offset", { ...activity, ...positional }),
  "activity down, quiet before, named record": model("updated down", "record", {
    ...activity,
    ...positional,
  }),
  "activity up, quiet before, named record": model("updated up", "record", { ...activity, ...positional }),
  "activity down, quiet before, opaque key": model("updated down", "opaque key", {
    ...activity,
    ...positional,
  }),
  "activity up 1..n, quiet before, offset": model("updated up", "offset", {
    ...activity,
    dense: true,
    ...positional,
  }),
  "activity down, quiet before, pages turned": model("updated down", "offset", {
    ...activity,
    turned: true,
    ...positional,
  }),
  "activity down, quiet before, named record, 20": model("updated down", "record", {
    ...activity,
    size: 20,
    ...positional,
  }),
  "activity down, quiet before, filter by id": model("updated down", "id filter", {
    ...activity,
    ...positional,
  }),
  "updated up, filter by id": model("updated up", "id filter", positional),
  "id down, offset, 26, records hidden": model("id down", "offset", {
    size: 26,
    hides: true,
    dense: true,
    ...positional,
  }),
  "id down, cycle of fresh cursors": model("id down", "opaque cycle"),
  "shuffled, offset": model("shuffled", "offset", positional),
}

export const levels: { readonly [name: string]: Changes } = {
  still: { rate: 0 },
  calm: { rate: 0.05 },
  busy: { rate: 1 },
  bursts: { rate: 0.3, burst: 0.08 },
}
