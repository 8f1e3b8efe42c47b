/**
 * The one error of a mirror. Its tagged `reason` states what failed; each surface adds what to do. Failures of the service and the network are the
 * client's own errors, and pass through unchanged.
 */
import * as Data from "effect/Data"
import type { Collection } from "./RunRow.ts"

/** Why a mirror cannot be opened, read or changed. No reason holds a key or a value of a record. */
export type Reason =
  /** This Node has no `node:sqlite`. */
  | { readonly _tag: "SqliteMissing"; readonly node: string; readonly needed: string }
  /** The file does not exist, and was opened for reading. */
  | { readonly _tag: "MirrorMissing"; readonly path: string }
  /** The file cannot be opened or created. `code` is that of the platform. */
  | { readonly _tag: "MirrorUnopenable"; readonly path: string; readonly code: string }
  /** Another user may have put the file, or one beside it, there. It was not used. `problem` is the rest of a sentence that begins with the path. */
  | { readonly _tag: "MirrorNotOwn"; readonly path: string; readonly problem: string }
  /** The file is a mount point itself, such as a single file that a container mounts: what is beside it is elsewhere. It was not used. */
  | { readonly _tag: "MirrorMounted"; readonly path: string }
  /** The file is not a SQLite database, or is the database of another program. It was not changed. */
  | { readonly _tag: "NotAMirror"; readonly path: string }
  /** A newer version of this package has created the tables. They were not changed. */
  | { readonly _tag: "SchemaNewer"; readonly path: string; readonly found: number; readonly known: number }
  /** An older version of this package has created the tables, and this one does not use or change them: a new mirror is needed. */
  | { readonly _tag: "SchemaOlder"; readonly path: string; readonly found: number; readonly known: number }
  /** Another process held the lock for longer than `lockMillis`. */
  | { readonly _tag: "MirrorLocked"; readonly path: string }
  /** Another program holds locks on rows of the account for longer than the server waits. All other accounts can be synced. */
  | { readonly _tag: "AccountLocked"; readonly path: string; readonly account: string }
  /** The engine of the workers' queue, pg-boss, is not installed. */
  | { readonly _tag: "EngineMissing" }
  | { readonly _tag: "MirrorReadOnly"; readonly path: string; readonly problem?: string | null }
  | { readonly _tag: "DiskFull"; readonly path: string }
  /** The file was moved, deleted or replaced while a sync wrote to it. The data that the sync has stored is not at that path. */
  | { readonly _tag: "MirrorMoved"; readonly path: string }
  /** The database reports that it is damaged, or a table or column is missing. */
  | { readonly _tag: "MirrorDamaged"; readonly path: string }
  /** The rows of one account were changed: they contradict each other, or one cannot be read. All other accounts can be synced. */
  | { readonly _tag: "AccountDamaged"; readonly path: string; readonly account: string }
  /** The address of a database server, or a variable that stands for a part of it, cannot be used. `problem` is a sentence without a full stop. */
  | { readonly _tag: "AddressInvalid"; readonly problem: string }
  /** The database exists, and its encoding cannot hold every record. */
  | { readonly _tag: "EncodingUnfit"; readonly path: string; readonly encoding: string }
  /** The server has no database of that name. */
  | { readonly _tag: "DatabaseMissing"; readonly path: string }
  /** The certificate of the database server is not trusted, or is for another name. `code` is that of the platform. */
  | { readonly _tag: "CertificateUntrusted"; readonly path: string; readonly code: string }
  /** The database server does not offer TLS. */
  | { readonly _tag: "TlsMissing"; readonly path: string }
  /**
   * The database cannot be reached, takes no more connections, or has ended this one. `code` is that of the platform or of the database, `problem`
   * what the server or the platform says of it.
   */
  | {
      readonly _tag: "MirrorUnreachable"
      readonly path: string
      readonly code: string | null
      readonly problem: string | null
    }
  /** The database refuses this user or password; `problem` is what the server says of it. */
  | { readonly _tag: "MirrorRefused"; readonly path: string; readonly problem: string | null }
  /** Any other error of a database server. */
  | {
      readonly _tag: "DatabaseFailed"
      readonly path: string
      readonly code: string | null
      readonly problem: string
    }
  /** Any other error of SQLite. */
  | {
      readonly _tag: "SqliteFailed"
      readonly path: string
      readonly code: number | null
      readonly problem: string
    }
  /** Another process has continued this read. Nothing of this one was stored after that. */
  | { readonly _tag: "TakenOver"; readonly account: string }
  /**
   * The account of that name is not the one that the mirror holds: another address, another caller by `/v1/me/`, or another key whose owner is not
   * known. Nothing was stored.
   */
  | {
      readonly _tag: "OtherAccount"
      readonly account: string
      readonly differs: "address" | "caller" | "key"
    }
  /** The mirror holds the same account under another name: same address, same key. Nothing was stored. */
  | { readonly _tag: "AccountTwice"; readonly account: string; readonly other: string }
  /** The mirror has an account of that name already, with records or runs. Nothing was changed. */
  | { readonly _tag: "AccountExists"; readonly account: string }
  /** No account can have that name. `problem` is the rest of a sentence that begins with it. Nothing was requested or stored. */
  | { readonly _tag: "AccountNameInvalid"; readonly account: string; readonly problem: string }
  /** The mirror has no account of that name. */
  | { readonly _tag: "AccountUnknown"; readonly account: string }
  /**
   * The mirror does not know a list at a moment, ISO 8601 UTC, or at all (`at` is null). `first` is the first moment that it knows; null if no read
   * of the list has finished.
   */
  | {
      readonly _tag: "MomentUnknown"
      readonly account: string
      readonly collection: Collection
      readonly at: string | null
      readonly first: string | null
    }
  /** The list ended without the end that the service specifies. */
  | { readonly _tag: "ReadIncomplete"; readonly account: string }

export type ReasonTag = Reason["_tag"]

const differing = { address: "its address", caller: "its caller, by /v1/me/,", key: "its key" } as const

/** The beginning of any text, in characters that every terminal shows. */
const visible = (text: string): string =>
  `${JSON.stringify(text.slice(0, 40)).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )}${text.length > 40 ? "…" : ""}`

/** What happened, by the tag of a reason. */
const sentences: {
  readonly [Tag in ReasonTag]: (reason: Extract<Reason, { readonly _tag: Tag }>) => string
} = {
  SqliteMissing: ({ needed, node }) =>
    `Node ${node} has no node:sqlite. A mirror needs Node ${needed} or later.`,
  MirrorMissing: ({ path }) => `There is no mirror at ${path}.`,
  MirrorUnopenable: ({ code, path }) => `The mirror ${path} cannot be opened (${code}).`,
  MirrorNotOwn: ({ path, problem }) => `${path} ${problem}.`,
  MirrorMounted: ({ path }) => `The mirror ${path} is a file that is mounted by itself.`,
  NotAMirror: ({ path }) => `${path} is not a mirror of Deedkit. It was not changed.`,
  SchemaNewer: ({ found, known, path }) =>
    `The mirror ${path} has tables of version ${found}; this program knows versions up to ${known}. It was not changed.`,
  SchemaOlder: ({ found, known, path }) =>
    `The mirror ${path} has tables of version ${found}, which this program no longer uses: its own are of version ${known}. It was not changed.`,
  AccountLocked: ({ account, path }) =>
    `The rows of the account ${account} are locked by another program in the mirror ${path}.`,
  MirrorLocked: ({ path }) => `The mirror ${path} is locked by another process.`,
  EngineMissing: () => "The queue of workers needs the package pg-boss, which is not installed.",
  MirrorReadOnly: ({ path, problem = null }) =>
    problem === null
      ? `The mirror ${path} cannot be written.`
      : `The database's user may not do this in the mirror ${path}: ${problem}.`,
  DiskFull: ({ path }) => `No space left on the disk for the mirror ${path}.`,
  MirrorMoved: ({ path }) => `The mirror ${path} was moved, deleted or replaced while it was written.`,
  MirrorDamaged: ({ path }) => `The mirror ${path} is damaged.`,
  AccountDamaged: ({ account, path }) =>
    `The account ${account} is damaged in the mirror ${path}: its rows contradict each other, or cannot be read.`,
  AddressInvalid: ({ problem }) => `${problem}.`,
  EncodingUnfit: ({ encoding, path }) =>
    `The database of the mirror ${path} has the encoding ${encoding}, which cannot hold every record.`,
  DatabaseMissing: ({ path }) => `The server has no database for the mirror ${path}.`,
  CertificateUntrusted: ({ code, path }) =>
    `The certificate of the server of the mirror ${path} is not trusted (${code}).`,
  TlsMissing: ({ path }) =>
    `The server of the mirror ${path} does not offer TLS, so records and passwords would cross the network in clear.`,
  MirrorUnreachable: ({ path, problem }) =>
    `The mirror ${path} cannot be reached${problem === null ? "" : ` (${problem})`}.`,
  MirrorRefused: ({ path, problem }) =>
    `The mirror ${path} refuses this user or password${problem === null ? "" : ` (${problem})`}.`,
  DatabaseFailed: ({ path, problem }) => `The database failed on the mirror ${path}: ${problem}.`,
  SqliteFailed: ({ path, problem }) => `SQLite failed on the mirror ${path}: ${problem}.`,
  TakenOver: ({ account }) => `Another process is syncing the account ${account}.`,
  OtherAccount: ({ account, differs }) =>
    `The account ${account} is not the one in the mirror: ${differing[differs]} differs. Nothing was stored.`,
  AccountTwice: ({ account, other }) =>
    `The accounts ${account} and ${other} have the same address and the same key. Nothing was stored.`,
  AccountNameInvalid: ({ account, problem }) => `The name ${visible(account)} of an account ${problem}.`,
  AccountExists: ({ account }) => `The mirror has an account ${account} already.`,
  AccountUnknown: ({ account }) => `The mirror has no account ${account}.`,
  ReadIncomplete: ({ account }) =>
    `A list of the account ${account} ended without the end that the service specifies.`,
  MomentUnknown: ({ account, at, collection, first }) => {
    const list = `the ${collection === "contracts" ? "contracts" : "API keys"} of ${account}`
    return first === null
      ? `The mirror has no read of ${list} that reached the end of the list.`
      : `The mirror does not know ${list} ${at === null ? "as its last read left them" : `at ${at}`}. It knows them from ${first} on.`
  },
}

/** The error of a mirror. */
export class SyncError extends Data.TaggedError("SyncError")<{ readonly reason: Reason }> {
  /** What happened, on one line. */
  override get message(): string {
    const sentence = sentences[this.reason._tag] as (reason: Reason) => string
    return sentence(this.reason).replaceAll(/[\r\n]/g, "\uFFFD")
  }

  /** Plain data for logs and machine-readable output. */
  override toJSON(): { readonly error: ReasonTag; readonly message: string; readonly reason: Reason } {
    return { error: this.reason._tag, message: this.message, reason: this.reason }
  }
}

/** Makes the error of a reason. */
export const syncError = (reason: Reason): SyncError => new SyncError({ reason })
