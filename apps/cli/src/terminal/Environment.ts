/**
 * The environment of the process, read once: variables, and what standard input, output and error are connected to.
 *
 * This is the only file that reads `process.env`. `Settings` applies the variables to requests, and `Terminal` applies them to the screen. The API
 * key is wrapped here.
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
  /** The folder for settings: `XDG_CONFIG_HOME`, else `.config` in `HOME`, else `APPDATA`; null if none is known. */
  readonly configFolder: string | null
  /** `NO_COLOR` is set and not empty. */
  readonly noColor: boolean
  /** `TERM=dumb`: a terminal without cursor movement and colours. */
  readonly dumbTerminal: boolean
  /** `SOURCE_DATE_EPOCH` as ISO 8601 UTC: the creation time that files state, so that the same records give the same bytes. */
  readonly madeAt: string | undefined
  /** `LC_ALL`, else `LC_MESSAGES`, else `LANG`: the locale of messages, such as `el_GR.UTF-8`. */
  readonly locale: string | undefined
  /** Reads any other variable that holds a key, as named by an accounts file. */
  readonly secret: (name: string) => Redacted.Redacted | undefined
  /** The variables that name proxies, in either case. */
  readonly proxies: Readonly<Record<string, string>>
  /** Variables of PostgreSQL, by name, but for the password. */
  readonly postgres: Readonly<Record<string, string>>
  /** Variables of Node and of the system that a scheduled command needs as this one does. */
  readonly scheduled: Readonly<Record<string, string>>
  /** How to call this program again: by its name, or through the package manager that runs it from a checkout. */
  readonly invocation: string
}

export class Environment extends Context.Service<Environment, Variables>()("deedkit/Environment") {}

type Table = Readonly<Record<string, string | undefined>>

/** The first absolute path. A relative path would depend on the folder that the program is called from. */
const firstAbsolute = (...folders: ReadonlyArray<string | undefined>): string | null =>
  folders.find((folder) => folder !== undefined && isAbsolute(folder)) ?? null

const inHome = ({ HOME }: Table, path: string): string | undefined =>
  HOME === undefined ? undefined : join(HOME, path)

/** Converts seconds since 1970. Any other text counts as not set, as in other programs. */
const madeAt = (seconds: string | undefined): string | undefined =>
  seconds !== undefined && /^\d{1,11}$/.test(seconds)
    ? new Date(Number(seconds) * 1_000).toISOString()
    : undefined

/** Reads the variables from a table. */
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
    noColor: (table["NO_COLOR"] ?? "") !== "",
    dumbTerminal: table["TERM"] === "dumb",
    madeAt: madeAt(table["SOURCE_DATE_EPOCH"]),
    secret,
    locale: [table["LC_ALL"], table["LC_MESSAGES"], table["LANG"]].find(Boolean),
    proxies: Object.fromEntries(
      Object.entries(table).flatMap(([name, value]) =>
        value !== undefined && /^(?:https?|all|no)_proxy$/i.test(name) ? [[name, value]] : [],
      ),
    ),
    postgres: Object.fromEntries(
      Object.entries(table).flatMap(([name, value]) =>
        value !== undefined && /^PG[A-Z]+$/.test(name) && name !== "PGPASSWORD" ? [[name, value]] : [],
      ),
    ),
    scheduled: Object.fromEntries(
      ["TZ", "NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA"].flatMap((name) => {
        const value = table[name]
        return value === undefined || value === "" ? [] : [[name, value]]
      }),
    ),
    invocation: table["npm_lifecycle_event"] === undefined ? "deedkit" : "npx pnpm@12 deedkit",
  }
}

/** The environment of this process. */
export const layer: Layer.Layer<Environment> = Layer.sync(Environment, () => read(process.env))
