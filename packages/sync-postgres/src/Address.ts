/**
 * The address of a PostgreSQL server, read as libpq reads it: what is supported is listed here, and everything else is refused by name before
 * anything is opened. Stricter than libpq in one point: beyond this machine, a connection without TLS has to be asked for.
 */
import { stat } from "node:fs/promises"
import type { Socket } from "node:net"
import { connect, isIP } from "node:net"
import { homedir, userInfo } from "node:os"
import { join } from "node:path"
import type { ConnectionOptions } from "node:tls"
import { connect as connectTls } from "node:tls"
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as OwnFile from "@deedkit/core/own-file"
import type { SyncError } from "@deedkit/sync"
import { syncError } from "@deedkit/sync/store"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { saslPrepared } from "./saslprep.ts"

/** The variables of the environment whose names begin with `PG`, as libpq reads them. */
export type PgVariables = Readonly<Record<string, string | undefined>>

/** What an address says, with nothing read from disk. */
export interface Address {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password: string | undefined
  readonly sslMode: SslMode
  /** The file of the certificates to trust; undefined for those of the platform. */
  readonly rootCertificate: string | undefined
  readonly applicationName: string | undefined
  readonly options: string | undefined
  /** 0: no limit. */
  readonly connectSeconds: number
}

const sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const
type SslMode = (typeof sslModes)[number]

/** Parameters of an address, and the variables that stand for them. */
const variableOf = {
  host: "PGHOST",
  port: "PGPORT",
  user: "PGUSER",
  dbname: "PGDATABASE",
  password: "PGPASSWORD",
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
  application_name: "PGAPPNAME",
  options: "PGOPTIONS",
  connect_timeout: "PGCONNECT_TIMEOUT",
  channel_binding: "PGCHANNELBINDING",
  gssencmode: "PGGSSENCMODE",
  target_session_attrs: "PGTARGETSESSIONATTRS",
} as const
type Parameter = keyof typeof variableOf

const isParameter = (name: string): name is Parameter => Object.hasOwn(variableOf, name)

/** Parameters that are understood only if they ask for nothing. */
const idle: { readonly [Name in Parameter]?: ReadonlyArray<string> } = {
  channel_binding: ["disable", "prefer"],
  gssencmode: ["disable", "prefer"],
  target_session_attrs: ["any"],
}

/** Variables of libpq that change where or how it connects, and are not obeyed here. */
const unsupportedVariables = [
  "PGSERVICE",
  "PGHOSTADDR",
  "PGSSLCERT",
  "PGSSLKEY",
  "PGSSLCRL",
  "PGSSLCRLDIR",
  "PGSSLCERTMODE",
  "PGSSLMINPROTOCOLVERSION",
  "PGSSLMAXPROTOCOLVERSION",
  "PGSSLNEGOTIATION",
  "PGREQUIREAUTH",
  "PGREQUIREPEER",
  "PGREQUIRESSL",
]

const invalid = (problem: string) => syncError({ _tag: "AddressInvalid", problem })

/** A short word can be shown; anything else may be a secret at the wrong place. */
const shown = (value: string): string => (/^[a-z][a-z-]{0,15}$/i.test(value) ? ` "${value}"` : "")

/** Whether a host is this machine: loopback, or a folder of sockets. */
export const isHere = (host: string): boolean =>
  host.startsWith("/") || /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)

const nameOfUser = (): string | undefined => {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

/** Text without its escapes; null if one of them stands for nothing that a text can hold. */
const decoded = (text: string): string | null => {
  try {
    const plain = decodeURIComponent(text)
    return plain.includes("\0") ? null : plain
  } catch {
    return null
  }
}

/** The query of an address. In libpq a plus is a plus, and no space. */
export const queryOf = ({ search }: URL): URLSearchParams =>
  new URLSearchParams(search.replaceAll("+", "%2B"))

/** The parameters of an address, those of its path and its query together. */
const parametersOf = (url: URL): ReadonlyMap<Parameter, string> | SyncError => {
  const found = new Map<Parameter, string>()
  const host = url.hostname.replaceAll(/^\[|\]$/g, "")
  const parts = {
    host,
    port: url.port,
    user: url.username,
    password: url.password,
    dbname: url.pathname.slice(1),
  }
  if (Object.values({ ...parts, query: url.search }).some((text) => decoded(text) === null))
    return invalid("The address of the mirror has a % that encodes nothing")
  for (const [name, text] of Object.entries(parts))
    if (text !== "") found.set(name as Parameter, decodeURIComponent(text))
  for (const [name, value] of queryOf(url)) {
    // As in JDBC, and in libpq.
    if (name === "ssl" && value === "true") found.set("sslmode", "require")
    else if (isParameter(name)) found.set(name, value)
    else
      return invalid(
        `The address of the mirror has the parameter${shown(name) || " of a name"}, which is not supported`,
      )
  }
  return found
}

/** Reads an address. Fails with `AddressInvalid`, which names what is not supported and shows no value that could be a secret. */
export const parse = (text: string, variables: PgVariables): Address | SyncError => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    return invalid("The address of the mirror cannot be read")
  if (url.hash !== "") return invalid("The address of the mirror has a #, which is written as %23")
  const given = parametersOf(url)
  if (!(given instanceof Map)) return given as SyncError
  const unsupported = unsupportedVariables.find((name) => (variables[name] ?? "") !== "")
  if (unsupported !== undefined) return invalid(`The variable ${unsupported} is set, which is not supported`)
  const value = (name: Parameter): string | undefined => {
    const own = (given as ReadonlyMap<Parameter, string>).get(name)
    if (own !== undefined) return own
    const variable = variables[variableOf[name]]
    return variable === "" ? undefined : variable
  }
  const named = (name: Parameter): string =>
    given.has(name) ? `the parameter ${name} of the mirror's address` : `the variable ${variableOf[name]}`
  for (const [name, allowed] of Object.entries(idle)) {
    const asked = value(name as Parameter)
    if (asked !== undefined && !allowed.includes(asked))
      return invalid(
        `Not supported: ${named(name as Parameter)} with the value${shown(asked) || " that it has"}`,
      )
  }
  const host = value("host") ?? "localhost"
  if (host.includes(","))
    return invalid("The address of the mirror names several hosts, which is not supported")
  const port = Number(value("port") ?? 5_432)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return invalid(`Not a port: ${named("port")}`)
  const connectSeconds = Number(value("connect_timeout") ?? 10)
  if (!Number.isInteger(connectSeconds) || connectSeconds < 0)
    return invalid(`Not a number of seconds: ${named("connect_timeout")}`)
  const mode = value("sslmode") ?? (isHere(host) ? "prefer" : "verify-full")
  const sslMode = sslModes.find((each) => each === mode)
  if (sslMode === undefined)
    return invalid(`Unknown sslmode${shown(mode)} in ${named("sslmode")}: it takes ${sslModes.join(", ")}`)
  const user = value("user") ?? nameOfUser()
  if (user === undefined) return invalid("The address of the mirror names no user")
  const rootCertificate = value("sslrootcert")
  return {
    host,
    port,
    user,
    database: value("dbname") ?? user,
    password: value("password"),
    sslMode,
    rootCertificate: rootCertificate === "system" ? undefined : rootCertificate,
    applicationName: value("application_name"),
    options: value("options"),
    connectSeconds,
  }
}

/** Four fields, in which a backslash escapes a colon, and a password, which may hold colons. */
const passwordLine = /^((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):(.*)$/

/** Reads a password file: lines of `host:port:database:user:password`, in which `*` stands for everything and a backslash escapes. Pure. */
export const passwordIn = (
  file: string,
  { database, host, port, user }: Pick<Address, "host" | "port" | "database" | "user">,
): string | undefined => {
  // Libpq looks a socket up under this name.
  const wanted = [host.startsWith("/") ? "localhost" : host, String(port), database, user]
  for (const line of file.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const fields = passwordLine
      .exec(line)
      ?.slice(1)
      .map((field) => field.replaceAll(/\\(.)/g, "$1"))
    if (line.startsWith("#") || fields === undefined) continue
    if (wanted.every((each, at) => fields[at] === "*" || fields[at] === each)) return fields[4]
  }
  return undefined
}

/** Far more than the certificates of every authority. */
const mostFileBytes = 4 * 1_048_576

/** The password of the password file; undefined if there is none, or if other users may read the file, as in libpq. */
const passwordOfFile = async (address: Address, variables: PgVariables): Promise<string | undefined> => {
  try {
    // Throws for a user without a home folder.
    const path = variables["PGPASSFILE"] || join(homedir(), ".pgpass")
    const { mode } = await stat(path)
    if (process.platform !== "win32" && (mode & 0o077) !== 0) return undefined
    return passwordIn((await OwnFile.read(path, { most: mostFileBytes })).toString("utf8"), address)
  } catch {
    return undefined
  }
}

/** The request for TLS, which a server answers with one letter: S or N. */
const sslRequest = Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47)
const [letterS, letterR] = [83, 82]

/** A connection for one question. What is wrong with it is said by the client, which connects by itself. */
const dial = ({ connectSeconds, host, port }: Address): Effect.Effect<Socket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
      socket.setTimeout(connectSeconds * 1_000, () => socket.destroy())
      return socket.on("error", () => {})
    }),
    (socket) => Effect.sync(() => socket.destroy()),
  )

/** The first bytes of an answer; none if there is no answer. */
const answerTo = (socket: Socket, request: Uint8Array): Effect.Effect<Uint8Array> =>
  Effect.callback((resume) => {
    const none = Effect.succeed(new Uint8Array())
    if (socket.destroyed) return resume(none)
    socket.once("data", (answer) => resume(Effect.succeed(answer)))
    socket.once("close", () => resume(none))
    socket.write(request)
  })

/** Whether the server offers TLS. A server that cannot be reached fails later, when it is connected to. */
const offersTls = (address: Address): Effect.Effect<boolean> =>
  dial(address).pipe(
    Effect.flatMap((socket) => answerTo(socket, sslRequest)),
    Effect.map(([letter]) => letter === letterS),
    Effect.scoped,
  )

/** The first message of a connection, for version 3.0 of the protocol. */
const startupOf = ({ database, user }: Address): Uint8Array => {
  const message = Buffer.from(`\0\0\0\0\0\u0003\0\0user\0${user}\0database\0${database}\0\0`)
  message.writeInt32BE(message.byteLength)
  return message
}

/** How a server asks for SCRAM in its answer to the first message. MD5 and LDAP, for example, have other numbers. */
const sasl = 10

/** Whether the server checks the password by SCRAM, also if it does not say so. For every other way the password is sent as it was given. */
const asksForScram = (address: Address, ssl: false | ConnectionOptions): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const plain = yield* dial(address)
    let socket: Socket = plain
    if (ssl !== false) {
      const [letter] = yield* answerTo(plain, sslRequest)
      if (letter !== letterS) return true
      const servername = isIP(address.host) === 0 ? address.host : undefined
      socket = connectTls({ host: address.host, servername, ...ssl, socket: plain }).on("error", () => {})
    }
    const answer = Buffer.from(yield* answerTo(socket, startupOf(address)))
    return answer.byteLength < 9 || answer[0] !== letterR || answer.readInt32BE(5) === sasl
  }).pipe(Effect.scoped)

/** TLS as the mode asks for it. `prefer` and `allow` prove nothing about the server, as in libpq. */
const tlsOf = Effect.fnUntraced(function* (address: Address) {
  const { host, rootCertificate, sslMode } = address
  // As in libpq, there is no TLS on a socket of this machine.
  if (sslMode === "disable" || host.startsWith("/")) return false
  if (sslMode === "prefer" || sslMode === "allow")
    return (yield* offersTls(address)) ? { rejectUnauthorized: false } : false
  const ca =
    rootCertificate === undefined
      ? undefined
      : yield* Effect.tryPromise({
          try: () => OwnFile.read(rootCertificate, { most: mostFileBytes, orPipe: true }),
          catch: () => invalid(`The certificates of sslrootcert cannot be read from ${rootCertificate}`),
        })
  // Only certificates of one's own show the server by themselves: a public authority signs those of everyone.
  const comparesName = sslMode === "verify-full" || ca === undefined
  return {
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    ...(comparesName ? {} : { checkServerIdentity: () => undefined }),
  }
})

export interface ServerOptions {
  /** `postgres://user@host:port/database`, with the parameters of libpq that `parse` knows. */
  readonly url: string
  /** Takes precedence over every other password. */
  readonly password?: Redacted.Redacted | undefined
  /** Default: none. */
  readonly variables?: PgVariables | undefined
}

/** The settings of the client for an address. Reads certificates and the password file, and asks the server whether it offers TLS. */
export const clientConfig = Effect.fnUntraced(function* ({
  password,
  url,
  variables,
}: ServerOptions): Effect.fn.Return<PgClient.PgPoolConfig, SyncError> {
  const address = parse(url, variables ?? {})
  if ("_tag" in address) return yield* address
  const text =
    (password === undefined ? undefined : Redacted.value(password)) ??
    address.password ??
    (variables === undefined ? undefined : yield* Effect.promise(() => passwordOfFile(address, variables)))
  const { applicationName, connectSeconds, database, host, options, port, user } = address
  const ssl = yield* tlsOf(address)
  const prepared = text === undefined ? undefined : saslPrepared(text)
  // Asked only where it matters: few passwords change.
  const secret = prepared === text || (yield* asksForScram(address, ssl)) ? prepared : text
  return {
    host,
    port,
    database,
    username: user,
    ...(secret === undefined ? {} : { password: Redacted.make(secret) }),
    ssl,
    connectTimeout: connectSeconds === 0 ? "1 day" : `${connectSeconds} seconds`,
    ...(applicationName === undefined ? {} : { applicationName }),
    ...(options === undefined ? {} : { startupOptions: options }),
    // A pooler gives each transaction another connection, which does not know the names of statements.
    prepare: false,
  }
})

/** The same for node-postgres, on which the engine of the queue stands. */
export const nodePostgresConfig = (options: ServerOptions) =>
  Effect.map(clientConfig(options), ({ connectTimeout = 0, password, ssl, ...config }) => ({
    host: config.host ?? "localhost",
    port: config.port ?? 5_432,
    database: config.database ?? "",
    user: config.username ?? "",
    password: Redacted.isRedacted(password) ? Redacted.value(password) : "",
    ssl,
    options: config.startupOptions ?? "",
    connectionTimeoutMillis: Duration.toMillis(connectTimeout),
  }))
