import { SyncError } from "@deedkit/sync"
import type { Reason } from "@deedkit/sync"
import { describe, expect, it } from "vitest"
import * as MirrorCatalogue from "../../../src/failure/MirrorCatalogue.ts"

const path = "mirror.sqlite"
const account = "acme"

const reasons: {
  readonly [Tag in Reason["_tag"]]: readonly [Extract<Reason, { readonly _tag: Tag }>, number]
} = {
  SqliteMissing: [{ _tag: "SqliteMissing", node: "20.20.2", needed: "22.13" }, 2],
  MirrorMissing: [{ _tag: "MirrorMissing", path }, 10],
  MirrorUnopenable: [{ _tag: "MirrorUnopenable", path, code: "EACCES" }, 10],
  MirrorNotOwn: [{ _tag: "MirrorNotOwn", path, problem: "is not a regular file" }, 10],
  MirrorMounted: [{ _tag: "MirrorMounted", path }, 10],
  NotAMirror: [{ _tag: "NotAMirror", path }, 10],
  SchemaNewer: [{ _tag: "SchemaNewer", path, found: 2, known: 1 }, 10],
  SchemaOlder: [{ _tag: "SchemaOlder", path, found: 1, known: 2 }, 10],
  MirrorLocked: [{ _tag: "MirrorLocked", path }, 10],
  AccountLocked: [{ _tag: "AccountLocked", path, account }, 10],
  EngineMissing: [{ _tag: "EngineMissing" }, 2],
  MirrorReadOnly: [{ _tag: "MirrorReadOnly", path }, 10],
  DiskFull: [{ _tag: "DiskFull", path }, 10],
  MirrorMoved: [{ _tag: "MirrorMoved", path }, 10],
  MirrorDamaged: [{ _tag: "MirrorDamaged", path }, 10],
  AccountDamaged: [{ _tag: "AccountDamaged", path, account }, 10],
  AddressInvalid: [{ _tag: "AddressInvalid", problem: "The address of the mirror cannot be read" }, 2],
  EncodingUnfit: [{ _tag: "EncodingUnfit", path, encoding: "LATIN1" }, 10],
  DatabaseMissing: [{ _tag: "DatabaseMissing", path }, 10],
  CertificateUntrusted: [{ _tag: "CertificateUntrusted", path, code: "SELF_SIGNED_CERT_IN_CHAIN" }, 7],
  TlsMissing: [{ _tag: "TlsMissing", path }, 7],
  MirrorUnreachable: [{ _tag: "MirrorUnreachable", path, code: "ECONNREFUSED", problem: "ECONNREFUSED" }, 7],
  MirrorRefused: [{ _tag: "MirrorRefused", path, problem: null }, 4],
  DatabaseFailed: [{ _tag: "DatabaseFailed", path, code: "XX000", problem: "XX000" }, 10],
  SqliteFailed: [{ _tag: "SqliteFailed", path, code: 1, problem: "no such table: contract" }, 10],
  TakenOver: [{ _tag: "TakenOver", account }, 10],
  OtherAccount: [{ _tag: "OtherAccount", account, differs: "key" }, 2],
  AccountTwice: [{ _tag: "AccountTwice", account, other: "beta" }, 2],
  AccountExists: [{ _tag: "AccountExists", account }, 2],
  AccountNameInvalid: [{ _tag: "AccountNameInvalid", account, problem: "is empty" }, 2],
  AccountUnknown: [{ _tag: "AccountUnknown", account }, 3],
  MomentUnknown: [
    {
      _tag: "MomentUnknown",
      account,
      collection: "contracts",
      at: "2026-10-01T00:00:00.000Z",
      first: "2026-10-29T02:00:00.000Z",
    },
    2,
  ],
  ReadIncomplete: [{ _tag: "ReadIncomplete", account }, 11],
}

describe("the catalogue of a mirror's failures", () => {
  it.each([
    ["22P05", /encoding UTF8/],
    ["25006", /read-only.*primary/],
    ["26000", /pooler/],
    ["42P05", /pooler/],
    ["57014", /statement_timeout/],
    ["28000", /pg_hba\.conf/],
    ["42601", /list of error codes/],
  ])("names the usual cause of the database's error %s", (code, cause) => {
    const reason = { _tag: "DatabaseFailed", path, code, problem: `first line (${code})` } as const
    expect(MirrorCatalogue.messageOf(new SyncError({ reason }))).toMatch(cause)
  })

  it.each([
    ["EROFS", /mounted read-only: choose another path/],
    ["EISDIR", /choose a file/],
    ["EACCES", /permissions/],
  ])("says of a file that cannot be opened (%s) what to do", (code, advice) => {
    expect(
      MirrorCatalogue.messageOf(new SyncError({ reason: { _tag: "MirrorUnopenable", path, code } })),
    ).toMatch(advice)
  })

  it.each([4_618, 4_874, 5_130, 5_386, 15, 3_850, 1_034, 1_290])(
    "names the file system where it lacks an operation (%i)",
    (code) => {
      const reason = { _tag: "SqliteFailed", path, code, problem: "disk I/O error" } as const
      expect(MirrorCatalogue.messageOf(new SyncError({ reason }))).toMatch(/network shares.*local disk/)
    },
  )

  it.each(Object.values(reasons).map(([reason, exitCode]) => [reason._tag, reason, exitCode] as const))(
    "says of %s what happened and what to do",
    (_, reason, exitCode) => {
      const error = new SyncError({ reason })
      const message = MirrorCatalogue.messageOf(error)
      expect(message).toMatch(/^\S.*\. \S.*[.]$/)
      expect(message.startsWith(error.message)).toBe(true)
      expect(MirrorCatalogue.exitCodeOf(error)).toBe(exitCode)
    },
  )
})
