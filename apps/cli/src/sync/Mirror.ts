/**
 * Opens a mirror for commands: a SQLite file, or PostgreSQL by its address. The PostgreSQL client is loaded only for such an address. Its password
 * comes from the environment, because everyone on the machine can read the arguments of a program. Failures of a mirror and its accounts become
 * failures of this program.
 */
import { basename } from "node:path"
import type { ClientError } from "@deedkit/core"
import { sqliteStore, SyncError } from "@deedkit/sync"
import type { MirrorStore } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Catalogue from "../failure/Catalogue.ts"
import * as ExitCode from "../failure/ExitCode.ts"
import type { AccountProblem } from "../failure/Failure.ts"
import { Failure, usageError } from "../failure/Failure.ts"
import * as MirrorCatalogue from "../failure/MirrorCatalogue.ts"
import { Environment } from "../terminal/Environment.ts"
import * as HomePath from "../terminal/HomePath.ts"

const address = /^postgres(?:ql)?:\/\//i

/** The name of a mirror without its location: the file without folders, or the database without server and user. */
export const nameOf = (mirror: string): string => {
  if (!address.test(mirror)) return basename(mirror)
  const path = URL.canParse(mirror) ? new URL(mirror).pathname : ""
  return basename(path) || "PostgreSQL"
}

/** The address of a database without the password, the password, and the variables that stand for parts of the address. */
export interface Server {
  readonly url: string
  readonly password: Redacted.Redacted | undefined
  readonly variables: Readonly<Record<string, string>>
}

/** Texts that name a database in another way, or another database. As a file they would be an empty mirror that nobody looks for. */
const otherAddress =
  /^[a-z][a-z\d+.-]+:(?!\\)|:\/\/|^[\w.@-]+:\d+(?:\/|$)|^(?:[a-z_]+\s*=\s*\S+\s+)*(?:host|hostaddr|dbname|user|password|port|service|sslmode|server|database|data source)\s*=/i

/** Names of files that nobody means: of a database program, with parameters, with a variable that no shell has expanded, of a folder. */
const otherFile = /^(?:postgres(?:ql)?|sqlite3?|[^/\\]*[?;][a-z_ ]+=.*|\$\{?\w+\}?|%\w+%|.*[/\\])$/is

/** The server of a mirror; null for a file. An address that contains a password is rejected. */
const serverOf = Effect.fnUntraced(function* (mirror: string) {
  if (!address.test(mirror)) {
    if (mirror.trim() === "") return yield* usageError("The mirror has no name", "Add `--to mirror.sqlite`.")
    if (!otherAddress.test(mirror) && !otherFile.test(mirror)) return null
    return yield* usageError(
      "The mirror is neither a file nor an address that is understood",
      "Write the address of PostgreSQL as postgres://user@host:5432/database, and a file as ./NAME.",
    )
  }
  const { postgres, secret } = yield* Environment
  // A user and no host, as libpq takes it: the host is that of PGHOST, or a parameter.
  const [, scheme = "", user = "", rest = ""] = /^([^/]*\/\/)([^/?#]*)@(|[/?].*)$/s.exec(mirror) ?? []
  const moved = `${rest.includes("?") ? "&" : "?"}user=${user.replaceAll("&", "%26")}`
  const url = user === "" ? mirror : `${scheme}${rest}${moved}`
  if (!URL.canParse(url)) {
    return yield* usageError(
      "The address of the mirror cannot be read",
      "Write it as postgres://user@host:5432/database.",
    )
  }
  const { password, searchParams } = new URL(url)
  if (password !== "" || searchParams.has("password") || user.includes(":")) {
    return yield* usageError(
      "The address of the mirror holds a password, which other programs on this machine can read",
      "Leave it out, and set the environment variable PGPASSWORD.",
    )
  }
  const { PGPASSFILE = "" } = postgres
  const variables = { ...postgres, PGPASSFILE: HomePath.expand(PGPASSFILE) }
  return { url, password: secret("PGPASSWORD"), variables }
})

/** The location of a mirror: a server or a file. */
export const placeOf = (
  mirror: string,
): Effect.Effect<Server | { readonly path: string }, Failure, Environment> =>
  mirror === "-" || mirror === ":memory:"
    ? usageError(`--to ${mirror} is not a file`, "Add `--to mirror.sqlite`.")
    : Effect.map(serverOf(mirror), (server) => server ?? { path: mirror })

/** The server of a mirror that workers share. */
export const sharedServerOf = Effect.fnUntraced(function* (
  mirror: string,
): Effect.fn.Return<Server, Failure, Environment> {
  const place = yield* placeOf(mirror)
  if (!("path" in place)) return place
  return yield* usageError(
    "Workers and their queue need a mirror in PostgreSQL, such as postgres://user@host/database",
    "On one machine, `deedkit sync --to mirror.sqlite --every 24h` needs neither.",
  )
})

/** Opens the mirror at that file or address, and closes it with its scope. With `isReadOnly`, it must exist and is not changed. */
export const openMirror = Effect.fnUntraced(function* (
  mirror: string,
  isReadOnly: boolean,
): Effect.fn.Return<MirrorStore, Failure | SyncError, Environment | Scope.Scope> {
  const server = yield* serverOf(mirror)
  if (server === null) return yield* sqliteStore({ path: mirror, isReadOnly })
  const { postgresStore } = yield* Effect.promise(() => import("@deedkit/sync-postgres"))
  return yield* postgresStore({ ...server, isReadOnly })
})

type Using = <A, R>(
  mirror: string,
  work: (store: MirrorStore) => Effect.Effect<A, SyncError, R>,
) => Effect.Effect<A, Failure, Environment | Exclude<R, Scope.Scope>>

const using =
  (isReadOnly: boolean): Using =>
  (mirror, work) =>
    Effect.flatMap(openMirror(mirror, isReadOnly), work).pipe(
      Effect.scoped,
      Effect.catchTag("SyncError", MirrorCatalogue.failureOf),
    )

/** Reads from an existing mirror and closes it. */
export const read = using(true)

/** Changes a mirror, which is created if it does not exist, and closes it. */
export const make = using(false)

/** Changes an existing mirror and closes it. */
export const change: Using = (mirror, work) =>
  Effect.andThen(
    read(mirror, () => Effect.void),
    make(mirror, work),
  )

/** Fails with `MirrorDamaged` if a text of the mirror is not JSON, because it was changed. */
export const damaged = (path: string) => (defect: unknown) =>
  defect instanceof SyntaxError
    ? MirrorCatalogue.failureOf(new SyncError({ reason: { _tag: "MirrorDamaged", path } }))
    : Effect.die(defect)

/** An error that ends the work on one account. */
export type AccountError = ClientError.ClientError | Failure | SyncError

const messageOf = (error: AccountError): string =>
  error._tag === "SyncError" ? MirrorCatalogue.messageOf(error) : Catalogue.messageOf(error)

/** The error as a problem of one account among several. */
export const problemOf = (account: string, error: AccountError): AccountProblem => {
  const exitCode = error._tag === "SyncError" ? MirrorCatalogue.exitCodeOf(error) : ExitCode.ofError(error)
  return { account, problem: messageOf(error), exitCode }
}

/**
 * Fails where an account of several is not well. The error of a single account is reported as it is, with its own document.
 */
export const failOf = (
  outcomes: ReadonlyArray<{ readonly error: AccountError | null; readonly problem: AccountProblem | null }>,
): Effect.Effect<void, ClientError.ClientError | Failure> => {
  const error = outcomes.length === 1 ? (outcomes[0]?.error ?? null) : null
  if (error !== null)
    return Effect.fail(error._tag === "SyncError" ? MirrorCatalogue.failureOf(error) : error)
  const problems = outcomes.flatMap(({ problem }) => problem ?? [])
  return problems.length === 0
    ? Effect.void
    : new Failure({
        reason: { _tag: "NotSynced", problems, accounts: outcomes.length, isTold: false },
      })
}
