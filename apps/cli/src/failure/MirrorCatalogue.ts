/**
 * The catalogue of a mirror's failures: what happened, what to do, and the exit code, with the flags of this program. Loaded only with the commands
 * of `sync`. Pure and exhaustive: a new reason does not compile without an entry.
 */
import type { Reason, SyncError } from "@deedkit/sync"
import type { ExitCode } from "./ExitCode.ts"
import { codes } from "./ExitCode.ts"
import { Failure } from "./Failure.ts"

interface Entry {
  readonly advice: string
  readonly exitCode: ExitCode
  /** Whether the mirror itself has failed, and therefore every account. */
  readonly isOfMirror: boolean
}

const ofMirror = (advice: string, exitCode: ExitCode = codes.local): Entry => ({
  advice,
  exitCode,
  isOfMirror: true,
})
const ofAccount = (advice: string, exitCode: ExitCode): Entry => ({ advice, exitCode, isOfMirror: false })

const advised = {
  address: "Check baseUrl or the profile.",
  caller: "Check that its key was not swapped with the key of another account.",
  key: "The service does not say whose key it is. Check that it is a key of the same account.",
} as const

/** What to do about rows of an account that were changed by something other than a sync. */
export const startAgain =
  "Restore the mirror from a backup, or remove the account with `deedkit sync forget` and sync it again."

/** What to do about errors of PostgreSQL that have one usual cause. */
const databaseAdvice: { readonly [code: string]: string } = {
  "22P05": "The database cannot hold a character of the records: use one with the encoding UTF8.",
  "25006":
    "The server is read-only, as a standby is: give the address of the primary, or a user who may write.",
  "26000":
    "A connection pooler may have changed the connection: use one that keeps a transaction on one connection.",
  "42P05":
    "A connection pooler may have changed the connection: use one that keeps a transaction on one connection.",
  "57014":
    "A time limit ended it: raise statement_timeout of the database's user, then run the same command again.",
  "28000": "Check what pg_hba.conf of the server allows this user, with or without TLS.",
}
const unreachableAdvice: { readonly [code: string]: string } = {
  "53300":
    "Wait until other programs have ended, or raise the limit of connections of the server, the database or the user.",
}
const unopenableAdvice: { readonly [code: string]: string } = {
  EISDIR: "It is a folder, a pipe or a device: choose a file.",
  EROFS: "Its file system is mounted read-only: choose another path.",
  EEXIST: "It exists already: choose another name, or add --overwrite.",
}

/**
 * SQLite's codes where a file system lacks an operation: shared memory (IOERR_SHMOPEN, SHMSIZE, SHMLOCK and SHMMAP), locks (PROTOCOL and IOERR_LOCK),
 * or syncing (IOERR_FSYNC and DIR_FSYNC).
 */
const ofFileSystem: ReadonlySet<number> = new Set([4_618, 4_874, 5_130, 5_386, 15, 3_850, 1_034, 1_290])

const otherDatabaseAdvice =
  "Look up the code in PostgreSQL's list of error codes, then run the same command again."

const entries: {
  readonly [Tag in Reason["_tag"]]: Entry | ((reason: Extract<Reason, { readonly _tag: Tag }>) => Entry)
} = {
  SqliteMissing: ofMirror("Install a newer Node.", codes.usage),
  MirrorMissing: ofMirror("Check its name, or make a mirror with `deedkit sync --to MIRROR`."),
  MirrorUnopenable: (reason) =>
    ofMirror(
      unopenableAdvice[reason.code] ??
        "Check that the folder exists, and the permissions of file and folder.",
    ),
  MirrorNotOwn: ofMirror(
    "Remove it, or keep the mirror in a folder that only you can write to. It was not used.",
  ),
  MirrorMounted: ofMirror("Mount its folder instead: a mirror also has files beside it while it is written."),
  NotAMirror: ofMirror("Choose another one."),
  SchemaNewer: ofMirror("Install the version of deedkit that wrote it, or a later one."),
  SchemaOlder: ofMirror(
    "Move it away and sync again: a new mirror is made. The version of deedkit that wrote the old one reads it.",
  ),
  MirrorLocked: ofMirror(
    "Wait until that process has ended, then run the same command again. If there is none, its file system may lack locks, as some network shares do: keep the mirror on a local disk.",
  ),
  AccountLocked: ofAccount("Wait until it has ended, then run the same command again.", codes.local),
  EngineMissing: ofMirror(
    "Install it beside deedkit, such as with `npm install --global pg-boss@12`; the single file has it inside.",
    codes.usage,
  ),
  MirrorReadOnly: ({ problem = null }) =>
    ofMirror(
      problem === null
        ? "Check the permissions of the file and its folder."
        : "To read, it needs `usage` on the schema and `select` on its tables; to sync, it must own the schema, or have `create` on the database.",
    ),
  DiskFull: ofMirror("Free some space, then run the same command again: it resumes."),
  MirrorMoved: ofMirror(
    "Find out what moved or deleted it, then run the same command again: it syncs into the file that is there now.",
  ),
  MirrorDamaged: ofMirror(
    "Restore it from a backup, or move it away and sync again: the history starts again.",
  ),
  AccountDamaged: ofAccount(startAgain, codes.local),
  AddressInvalid: ofMirror(
    "Write it as postgres://user@host:5432/database; the README of @deedkit/sync-postgres lists the parameters and variables that are read.",
    codes.usage,
  ),
  EncodingUnfit: ofMirror(
    "Create a database with the encoding UTF8, such as with `createdb -E UTF8 -T template0 NAME`.",
  ),
  DatabaseMissing: ofMirror("Create it, such as with `createdb`, or check the name."),
  CertificateUntrusted: ofMirror(
    "Name the certificate of its authority with sslrootcert=FILE in the address. With sslmode=prefer it is not checked.",
    codes.network,
  ),
  TlsMissing: ofMirror(
    "Turn TLS on at the server. If the network between is trusted, add sslmode=disable to the address.",
    codes.network,
  ),
  MirrorUnreachable: (reason) =>
    ofMirror(
      unreachableAdvice[reason.code ?? ""] ??
        "Check its address and the server, then run the same command again: it resumes.",
      codes.network,
    ),
  MirrorRefused: ofMirror(
    "Check the user, the password in PGPASSWORD or the password file, and what pg_hba.conf of the server allows.",
    codes.authentication,
  ),
  DatabaseFailed: (reason) => ofMirror(databaseAdvice[reason.code ?? ""] ?? otherDatabaseAdvice),
  SqliteFailed: ({ code }) =>
    ofMirror(
      ofFileSystem.has(code ?? 0)
        ? "Its file system may lack shared memory, locks or syncing, as some network shares and mounts of containers do: keep the mirror on a local disk, or in PostgreSQL."
        : "Check the disk and the path, then run the same command again.",
    ),
  TakenOver: ofAccount("It continues there.", codes.local),
  OtherAccount: (reason) =>
    ofAccount(
      `${advised[reason.differs]} If it is the same account, confirm it with --same-account ${reason.account}.`,
      codes.usage,
    ),
  AccountTwice: ({ account, other }) =>
    ofAccount(
      `Sync it under one name: \`deedkit sync rename MIRROR ${other} ${account}\` gives it the new one, with its history.`,
      codes.usage,
    ),
  AccountExists: ofAccount(
    "Choose another name, or remove that account with `deedkit sync forget`.",
    codes.usage,
  ),
  AccountNameInvalid: ofAccount("Give it another name.", codes.usage),
  AccountUnknown: ofAccount("`deedkit sync status MIRROR` lists the accounts.", codes.notFound),
  MomentUnknown: (reason) =>
    reason.at === null || reason.first === null
      ? ofAccount("Sync it until it is complete.", codes.notComplete)
      : ofAccount(`Choose that moment or a later one: --as-of ${reason.first}.`, codes.usage),
  ReadIncomplete: ofAccount("Run the same command again.", codes.pagination),
}

const entryOf = (reason: Reason): Entry => {
  const entry = entries[reason._tag] as Entry | ((reason: Reason) => Entry)
  return typeof entry === "function" ? entry(reason) : entry
}

/** Whether the mirror itself has failed. */
export const isOfMirror = ({ reason }: SyncError): boolean => entryOf(reason).isOfMirror

/** What happened and what to do. */
export const messageOf = (error: SyncError): string => `${error.message} ${entryOf(error.reason).advice}`

export const exitCodeOf = ({ reason }: SyncError): ExitCode => entryOf(reason).exitCode

/** The failure of a command whose mirror has failed. */
export const failureOf = (error: SyncError): Failure =>
  new Failure({
    reason: {
      _tag: "MirrorFailed",
      kind: error.reason._tag,
      problem: messageOf(error),
      exitCode: exitCodeOf(error),
    },
  })
