/**
 * The environment of the process, read once: variables, and what standard input, output and error are connected to.
 *
 * This is the only file that reads `process.env`. `Settings` applies the variables to requests, `Terminal` to the screen. The API key is wrapped
 * here.
 */
import { isAbsolute, join } from "node:path"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

/** A variable that is not set is undefined; an empty one is the empty string. */
export interface Variables {
  /** `DEEDKIT_BASE_URL` */
  readonly baseUrl: string | undefined
  /** `DEEDKIT_API_KEY` */
  readonly apiKey: Redacted.Redacted | undefined
  /** `DEEDKIT_API_KEY_FILE`: a file that holds the key and nothing else. */
  readonly apiKeyFile: string | undefined
  /** `DEEDKIT_CURSOR_PARAM` */
  readonly cursorParam: string | undefined
  /** `DEEDKIT_PROFILE` */
  readonly profile: string | undefined
  /** Where programs keep their settings: `XDG_CONFIG_HOME`, else `.config` in `HOME`, else `APPDATA`; null where none is known. */
  readonly configFolder: string | null
  /** Where programs keep what they can lose: `XDG_STATE_HOME`, else `.local/state` in `HOME`, else `LOCALAPPDATA`; null where none is known. */
  readonly stateFolder: string | null
  /** `NO_COLOR` is set and not empty. */
  readonly noColor: boolean
  /** `TERM=dumb`: a terminal without cursor movement and colours. */
  readonly dumbTerminal: boolean
  /** `SOURCE_DATE_EPOCH` as ISO 8601 UTC: when files say that they were made, so that the same records give the same bytes. */
  readonly madeAt: string | undefined
  /** Any other variable that holds a key: an accounts file names it. */
  readonly secret: (name: string) => Redacted.Redacted | undefined
  /** How to call this program again: by its name, or through the package manager that runs it from a checkout. */
  readonly invocation: string
}

export class Environment extends Context.Service<Environment, Variables>()("deedkit/Environment") {}

type Table = Readonly<Record<string, string | undefined>>

/** The first path that is set. A relative one would mean another folder wherever the program is called. */
const firstAbsolute = (...folders: ReadonlyArray<string | undefined>): string | null =>
  folders.find((folder) => folder !== undefined && isAbsolute(folder)) ?? null

const inHome = ({ HOME }: Table, path: string): string | undefined =>
  HOME === undefined ? undefined : join(HOME, path)

/** Seconds since 1970; anything else counts as not set, as in other programs. */
const madeAt = (seconds: string | undefined): string | undefined =>
  seconds !== undefined && /^\d{1,11}$/.test(seconds)
    ? new Date(Number(seconds) * 1_000).toISOString()
    : undefined

/** Reads variables out of a table of them. */
export const read = (table: Table): Variables => {
  const secret = (name: string): Redacted.Redacted | undefined => {
    const value = Object.hasOwn(table, name) ? table[name] : undefined
    return value === undefined ? undefined : Redacted.make(value, { label: "API key" })
  }
  return {
    baseUrl: table["DEEDKIT_BASE_URL"],
    apiKey: secret("DEEDKIT_API_KEY"),
    apiKeyFile: table["DEEDKIT_API_KEY_FILE"],
    cursorParam: table["DEEDKIT_CURSOR_PARAM"],
    profile: table["DEEDKIT_PROFILE"],
    configFolder: firstAbsolute(table["XDG_CONFIG_HOME"], inHome(table, ".config"), table["APPDATA"]),
    stateFolder: firstAbsolute(table["XDG_STATE_HOME"], inHome(table, ".local/state"), table["LOCALAPPDATA"]),
    noColor: (table["NO_COLOR"] ?? "") !== "",
    dumbTerminal: table["TERM"] === "dumb",
    madeAt: madeAt(table["SOURCE_DATE_EPOCH"]),
    secret,
    invocation: table["npm_lifecycle_event"] === undefined ? "deedkit" : "npx pnpm@12 deedkit",
  }
}

/** The environment of this process. */
export const layer: Layer.Layer<Environment> = Layer.sync(Environment, () => read(process.env))
