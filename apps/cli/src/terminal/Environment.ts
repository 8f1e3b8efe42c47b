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

/** The set variables with these names. */
const matching = (table: Table, isName: (name: string) => boolean): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, value]) =>
      value !== undefined && isName(name) ? [[name, value]] : [],
    ),
  )

/** The variables that libpq reads. Other programs have names such as `PG_PASSWORD`. */
const ofPostgres =
  /^PG(?:HOST|HOSTADDR|PORT|USER|DATABASE|PASSFILE|SERVICE|OPTIONS|APPNAME|CONNECT_TIMEOUT|SSL[A-Z]+|CHANNELBINDING|GSSENCMODE|TARGETSESSIONATTRS|REQUIRE(?:AUTH|PEER|SSL))$/

const scheduled = /^(?:TZ|NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA)$/
/** Node reads these with the certificates of OpenSSL or the system alone. */
const ofCertificates = /^SSL_CERT_(?:FILE|DIR)$/

/** Options of Node that say which certificates it trusts. */
const trustIn = (table: Table): ReadonlyArray<string> =>
  (table["NODE_OPTIONS"] ?? "").match(/--use-(?:system|openssl|bundled)-ca\b/g) ?? []

/** When output has colours. `NO_COLOR` comes before the variables that ask for them; any value but `0` does. */
const colorIn = (table: Table): "always" | "auto" | "never" => {
  if ((table["NO_COLOR"] ?? "") !== "") return "never"
  const forced = table["FORCE_COLOR"] ?? table["CLICOLOR_FORCE"] ?? ""
  if (forced !== "" && !/^(?:0|false)$/.test(forced)) return "always"
  return table["CLICOLOR"] === "0" || forced !== "" ? "never" : "auto"
}

/** Reads the variables from a table. One that is not set is undefined; an empty one is the empty string. */
export const read = (table: Table) => {
  const secret = (name: string): Redacted.Redacted | undefined => {
    const value = Object.hasOwn(table, name) ? table[name] : undefined
    return value === undefined ? undefined : Redacted.make(value, { label: "API key" })
  }
  return {
    baseUrl: table["DEEDKIT_BASE_URL"],
    apiKey: secret("DEEDKIT_API_KEY"),
    /** A file that holds the key and nothing else. */
    apiKeyFile: table["DEEDKIT_API_KEY_FILE"],
    cursorParam: table["DEEDKIT_CURSOR_PARAM"],
    profile: table["DEEDKIT_PROFILE"],
    /** The folder for settings; null if none is known. */
    configFolder: firstAbsolute(table["XDG_CONFIG_HOME"], inHome(table, ".config"), table["APPDATA"]),
    /** Folders of programs, in the platform's form. */
    searchPath: table["PATH"] ?? "",
    color: colorIn(table),
    /** A terminal without cursor movement and colours. */
    dumbTerminal: table["TERM"] === "dumb",
    /** The creation time that files state, ISO 8601 UTC, so that the same records give the same bytes. */
    madeAt: madeAt(table["SOURCE_DATE_EPOCH"]),
    /** The locale of messages, such as `el_GR.UTF-8`. */
    locale: [table["LC_ALL"], table["LC_MESSAGES"], table["LANG"]].find(Boolean),
    /** Reads any other variable that holds a key, as named by an accounts file. */
    secret,
    /** The variables that name proxies, in either case. */
    proxies: matching(table, (name) => /^(?:https?|all|no)_proxy$/i.test(name)),
    /** `0`: Node verifies no certificate that nothing else says to verify, such as that of a proxy. */
    rejectUnauthorized: table["NODE_TLS_REJECT_UNAUTHORIZED"],
    /** Variables of PostgreSQL's client, by name, but for passwords. */
    postgres: matching(table, (name) => ofPostgres.test(name) && !name.includes("PASSWORD")),
    /** What another program needs to run: nothing that may be secret. */
    forPrograms: matching(table, (name) =>
      /^(?:PATH|HOME|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|USERPROFILE|(?:LOCAL)?APPDATA)$/i.test(
        name,
      ),
    ),
    /** Options of Node that another start of this program needs. */
    trust: trustIn(table),
    /** Variables of Node and of the system that a scheduled command needs as this one does. */
    scheduled: matching(table, (name) => {
      const isOfSystem = trustIn(table).length > 0 || table["NODE_USE_SYSTEM_CA"] === "1"
      return (scheduled.test(name) || (isOfSystem && ofCertificates.test(name))) && table[name] !== ""
    }),
    /** How to call this program again: by its name, or through the package manager that runs it from a checkout. */
    invocation: table["npm_lifecycle_event"] === undefined ? "deedkit" : "npx pnpm@12 deedkit",
  }
}

export type Variables = Readonly<ReturnType<typeof read>>

export class Environment extends Context.Service<Environment, Variables>()("deedkit/Environment") {}

export const layer: Layer.Layer<Environment> = Layer.sync(Environment, () => read(process.env))
