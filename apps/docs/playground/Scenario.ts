/** A scenario of the playground: a made-up service and how it is read. Its text is the fragment of an address, so an address shares it. */

export const orders = ["descending", "ascending", "random", "updated"] as const

/** What a cursor names: the last record of its page, or how many records came before. */
export const cursors = ["id", "position"] as const

export interface Scenario {
  readonly contracts: number
  /** Records a page that are asked for. */
  readonly limit: number
  readonly order: (typeof orders)[number]
  readonly cursor: (typeof cursors)[number]
  /** Seed of the made-up data. */
  readonly seed: number
  /** Faults of the emulator, as text. */
  readonly faults: ReadonlyArray<string>
}

export const initial: Scenario = {
  contracts: 250,
  limit: 100,
  order: "descending",
  cursor: "id",
  seed: 1,
  faults: [],
}

export const limits = {
  contracts: { least: 0, most: 5000 },
  limit: { least: 1, most: 100 },
  seed: { least: 0, most: 1_000_000 },
} as const

type Figure = keyof typeof limits
const figures = Object.keys(limits) as ReadonlyArray<Figure>
const mostFaults = 10
const longestFault = 200

/** The fragment without `#`. Only what differs from `initial` is in it. */
export const format = (scenario: Scenario): string => {
  const words = new URLSearchParams()
  for (const name of figures) if (scenario[name] !== initial[name]) words.set(name, String(scenario[name]))
  if (scenario.order !== initial.order) words.set("order", scenario.order)
  if (scenario.cursor !== initial.cursor) words.set("cursor", scenario.cursor)
  for (const fault of scenario.faults) words.append("fault", fault)
  return words.toString()
}

/** A whole number within the limits; null for anything else. */
export const figure = (name: Figure, text: string): number | null => {
  const number = /^\d{1,7}$/.test(text.trim()) ? Number(text) : Number.NaN
  return number >= limits[name].least && number <= limits[name].most ? number : null
}

export interface Parsed {
  readonly scenario: Scenario
  /** What the fragment holds that is no part of a scenario, in sentences. */
  readonly problems: ReadonlyArray<string>
}

/** Reads a fragment. What cannot be read is as in `initial`, and reported. */
export const parse = (fragment: string): Parsed => {
  const problems: Array<string> = []
  const faults: Array<string> = []
  const read: { -readonly [Name in keyof Scenario]: Scenario[Name] } = { ...initial, faults }
  for (const [name, value] of new URLSearchParams(fragment.replace(/^#/, ""))) {
    const known = figures.find((one) => one === name)
    const number = known === undefined ? null : figure(known, value)
    const order = orders.find((one) => one === value)
    const cursor = cursors.find((one) => one === value)
    if (known !== undefined && number !== null) read[known] = number
    else if (name === "order" && order !== undefined) read.order = order
    else if (name === "cursor" && cursor !== undefined) read.cursor = cursor
    else if (name === "fault" && value.length <= longestFault && faults.length < mostFaults)
      faults.push(value)
    else problems.push(`The address has ${name}=${value.slice(0, 40)}, which is not used.`)
  }
  return { scenario: read, problems }
}

/** Faults to choose, beside those that are typed. */
export const presets: ReadonlyArray<{ readonly label: string; readonly fault: string }> = [
  { label: "429: the second request is refused for a second", fault: "rate-limit:requests=2,retryAfter=1" },
  { label: "Cut body: the connection ends in the middle of an answer", fault: "cut:requests=3" },
  { label: "Slow: each answer takes half a second", fault: "latency:ms=500" },
  { label: "HTML: a web page in place of the API", fault: "not-json:requests=2" },
  { label: "Ignored cursor: the first page again and again", fault: "cursor-ignored" },
  { label: "Renamed cursor: its parameter is called after", fault: "cursor-renamed:parameter=after" },
  { label: "Changes while the list is read", fault: "mutate:insert=3,update=2,remove=2" },
  { label: "Records that are not as specified", fault: "wrong-type:records=1+2,page=2" },
]
