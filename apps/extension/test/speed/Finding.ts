/** What was measured: figures of one thing in one unit, a figure each time. */
export interface Finding {
  readonly unit: "ms" | "rows/s" | "MB" | "kB" | "requests" | "times"
  readonly figures: ReadonlyArray<number>
}

export type Findings = { readonly [name: string]: Finding }

export const millis = (...figures: ReadonlyArray<number>): Finding => ({ unit: "ms", figures })

/** A thousand bytes each, as stores count. */
export const kilobytes = (...bytes: ReadonlyArray<number>): Finding => ({
  unit: "kB",
  figures: bytes.map((each) => each / 1_000),
})
