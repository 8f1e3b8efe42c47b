import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, password, start } from "@deedkit/config/postgres"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { PostgresOptions } from "../src/index.ts"
import { postgresStore } from "../src/index.ts"
import { edit, query } from "./harness/Query.ts"

/** What opening the mirror ends with: whether its connections have TLS, or the tag of the reason. `own` is an address that needs no TLS. */
const opened = (own: string, options: PostgresOptions): Promise<string> => {
  const tls = async (): Promise<string> => {
    const [row] = await query(
      `${own}?sslmode=disable`,
      "select s.ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where a.application_name = 'deedkit' limit 1",
    )
    return row?.["ssl"] === true ? "open with TLS" : "open without TLS"
  }
  const opening = Effect.flatMap(postgresStore(options), () => Effect.promise(tls))
  return Effect.runPromise(
    Effect.scoped(
      Effect.match(opening, { onSuccess: (text) => text, onFailure: ({ reason }) => reason._tag }),
    ),
  )
}

describe.skipIf(!hasPostgres)("a connection", () => {
  let server: Server
  let folder: string
  let url: string
  let certificate: string

  beforeAll(async () => {
    server = await start()
    folder = await mkdtemp(join(tmpdir(), "deedkit-tls-"))
    url = await server.database("warehouse")
    certificate = join(folder, "server.crt")
  }, 60_000)
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  it("goes without TLS where the server offers none, unless the address asks for it", async () => {
    expect(await opened(url, { url })).toBe("open without TLS")
    expect(await opened(url, { url: `${url}?sslmode=require` })).toBe("TlsMissing")
  })

  it("says of a server that is read-only that it is, and not that the user may not write", async () => {
    const standby = await server.database("standby")
    await Effect.runPromise(Effect.scoped(postgresStore({ url: standby })))
    await edit(standby, ["alter database standby set default_transaction_read_only = on"])
    const noted = Effect.flatMap(postgresStore({ url: standby }), (store) =>
      Effect.flip(store.note({ account: "acme", baseUrl: "" }, "none", "2026-03-01T09:00:00.000Z")),
    )
    const { reason } = await Effect.runPromise(Effect.scoped(noted))
    expect(reason).toMatchObject({ _tag: "DatabaseFailed", code: "25006" })
  })

  let hasTls = false
  /** Gives the server a certificate for the name localhost. */
  const offerTls = async () => {
    if (hasTls) return
    const key = join(folder, "server.key")
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    const made = spawnSync("openssl", [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-keyout",
      key,
      "-out",
      certificate,
      ...subject,
    ])
    expect(made.status).toBe(0)
    if (process.getuid?.() === 0)
      for (const path of [folder, key, certificate]) await chown(path, 65_534, 65_534)
    for (const [name, value] of [
      ["ssl_cert_file", certificate],
      ["ssl_key_file", key],
      ["ssl", "on"],
    ])
      await query(url, `alter system set ${name} = '${value}'`)
    await query(url, "select pg_reload_conf()")
    await expect.poll(() => opened(url, { url })).toBe("open with TLS")
    hasTls = true
  }

  it("has TLS where the server offers it, and trusts the certificates that the address names", async () => {
    await offerTls()
    const named = url.replace("127.0.0.1", "localhost")
    for (const [address, outcome] of [
      [`${url}?sslmode=disable`, "open without TLS"],
      [`${url}?sslmode=prefer`, "open with TLS"],
      [`${url}?sslmode=require`, "CertificateUntrusted"],
      [`${named}?sslmode=verify-full&sslrootcert=${certificate}`, "open with TLS"],
      [`${url}?sslmode=verify-full&sslrootcert=${certificate}`, "CertificateUntrusted"],
      [`${url}?sslmode=verify-ca&sslrootcert=${certificate}`, "open with TLS"],
      [`${url}?sslmode=verify-full&sslrootcert=${folder}/none`, "AddressInvalid"],
    ] as const)
      expect([address, await opened(url, { url: address })]).toEqual([address, outcome])
  })

  // Regression: `verify-ca` took a certificate of any public authority, for any name.
  it("compares the name of a certificate where the address names no certificates to trust", async () => {
    await offerTls()
    const own = getCACertificates()
    setDefaultCACertificates([...own, await readFile(certificate, "utf8")])
    const named = url.replace("127.0.0.1", "localhost")
    for (const mode of ["require", "verify-ca", "verify-full"]) {
      expect([mode, await opened(url, { url: `${named}?sslmode=${mode}` })]).toEqual([mode, "open with TLS"])
      for (const more of ["", "&sslrootcert=system"])
        expect([mode, await opened(url, { url: `${url}?sslmode=${mode}${more}` })]).toEqual([
          mode,
          "CertificateUntrusted",
        ])
    }
    setDefaultCACertificates(own)
  })

  it("takes user and password from the variables and the password file, which only its owner may read", async () => {
    const path = join(folder, "pgpass")
    const bare = url.replace(`owner:${password}@`, "")
    await writeFile(path, `*:*:warehouse:owner:${password}\n`, { mode: 0o600 })
    expect(await opened(url, { url: bare, variables: { PGUSER: "owner", PGPASSFILE: path } })).toMatch(
      /^open/,
    )
    await rm(path)
    await writeFile(path, `*:*:warehouse:owner:${password}\n`, { mode: 0o644 })
    expect(await opened(url, { url: bare, variables: { PGUSER: "owner", PGPASSFILE: path } })).toBe(
      "MirrorRefused",
    )
  })

  it("signs in with a password that the server has prepared", async () => {
    await query(url, "create role greek login superuser password 'ΚωδικόςΙΧ ﬁ'")
    const own = url.replace(
      `owner:${password}`,
      `greek:${encodeURIComponent("Κωδικός\u2160X\u00A0fi".replace("\u2160X", "ΙΧ"))}`,
    )
    expect(await opened(url, { url: own })).toMatch(/^open/)
  })

  it.each(["md5", "password"])(
    "signs in with such a password as it was given where the server checks it by %s",
    async (method) => {
      const [row] = await query(url, "show hba_file")
      const path = String(row?.["hba_file"])
      const before = await readFile(path, "utf8")
      const role = `roman_${method}`
      await writeFile(path, `host all ${role} all ${method}\n${before}`)
      await edit(url, ["set password_encryption = md5", `create role ${role} login superuser password 'Ⅸ ﬁ'`])
      await server.restart()
      const own = url.replace(`owner:${password}`, `${role}:${encodeURIComponent("Ⅸ ﬁ")}`)
      const outcome = await opened(url, { url: own })
      await writeFile(path, before)
      expect(outcome).toMatch(/^open/)
    },
  )

  it("says that a database is missing, or has an encoding that cannot hold every record", async () => {
    await query(url, "create database latin encoding 'LATIN1' template template0")
    expect(await opened(url, { url: url.replace(/warehouse$/, "latin") })).toBe("EncodingUnfit")
    expect(await opened(url, { url: url.replace(/warehouse$/, "nowhere") })).toBe("DatabaseMissing")
  })

  it("says of another kind of server that it ends the connection", async () => {
    const other = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))
    await once(other.listen(0, "127.0.0.1"), "listening")
    const { port } = other.address() as AddressInfo
    const opening = postgresStore({ url: `postgres://app@127.0.0.1:${port}/w?sslmode=disable` })
    const { message } = await Effect.runPromise(Effect.scoped(Effect.flip(opening)))
    other.close()
    expect(message).toMatch(/cannot be reached \([^)]+\)\.$/)
  })

  it("says why it is refused or not reached, in the server's own words", async () => {
    await query(url, "create database crowded connection limit 0")
    await query(url, "create role other login password 'x'")
    const said = async (address: string, user: string): Promise<string> => {
      const own = address.replace(`owner:${password}`, user)
      return (await Effect.runPromise(Effect.scoped(Effect.flip(postgresStore({ url: own }))))).message
    }
    expect(await said(url.replace(/warehouse$/, "crowded"), "other:x")).toMatch(
      /too many connections .*\(53300\)/,
    )
    expect(await said(url, "other:wrong")).toMatch(/refuses this user or password \(.+ \(28\w{3}\)\)\.$/)
  })
})
