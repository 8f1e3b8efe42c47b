import { SyncError } from "@deedkit/sync"
import { describe, expect, it } from "vitest"
import { isHere, parse, passwordIn } from "../src/Address.ts"
import type { Address, PgVariables } from "../src/Address.ts"
import { saslPrepared } from "../src/saslprep.ts"

const read = (text: string, variables: PgVariables = {}): Address => {
  const address = parse(text, variables)
  if (address instanceof SyncError) throw address
  return address
}
const problem = (text: string, variables: PgVariables = {}): string => {
  const address = parse(text, variables)
  return address instanceof SyncError ? address.message : "no error"
}

describe("an address of PostgreSQL", () => {
  it("gives host, port, user, database and parameters", () => {
    const text =
      "postgresql://app%40x:pass%3Aword@db.example.com:6543/ware%20house?sslmode=verify-ca&sslrootcert=/ca.pem&application_name=nightly&options=-c%20work_mem%3D8MB&connect_timeout=3"
    expect(read(text)).toEqual({
      host: "db.example.com",
      port: 6_543,
      user: "app@x",
      database: "ware house",
      password: "pass:word",
      sslMode: "verify-ca",
      rootCertificate: "/ca.pem",
      applicationName: "nightly",
      options: "-c work_mem=8MB",
      connectSeconds: 3,
    })
  })

  it.each([
    ["postgres://app@[::1]/w", "::1"],
    ["postgres://app@%2Fvar%2Frun%2Fpostgresql/w", "/var/run/postgresql"],
    ["postgres:///w?host=/run/pg&user=app", "/run/pg"],
    ["postgres:///w?user=app", "localhost"],
  ])("%s is on the host %s", (text, host) => {
    expect(read(text).host).toBe(host)
  })

  it("decodes a parameter as it decodes everything else: a plus is a plus", () => {
    expect(read("postgres:///w?user=app+night%40x&host=/run/pg+1&options=-c+x%3D1%2B1")).toMatchObject({
      user: "app+night@x",
      host: "/run/pg+1",
      options: "-c+x=1+1",
    })
    expect(read("postgres://app+night@h/a+b")).toMatchObject({ user: "app+night", database: "a+b" })
    expect(read("postgres://app@h/w?appl%69cation_name=a=b&&connect_timeout=3&")).toMatchObject({
      applicationName: "a=b",
      connectSeconds: 3,
    })
  })

  it("takes what it leaves out from the variables, and prefers its own", () => {
    const variables = {
      PGHOST: "db.example.com",
      PGPORT: "6543",
      PGUSER: "app",
      PGDATABASE: "w",
      PGSSLMODE: "require",
      PGSSLROOTCERT: "/ca.pem",
      PGAPPNAME: "cron",
      PGCONNECT_TIMEOUT: "2",
      PGOPTIONS: "",
    }
    expect(read("postgres://", variables)).toMatchObject({
      host: "db.example.com",
      port: 6_543,
      user: "app",
      database: "w",
      sslMode: "require",
      rootCertificate: "/ca.pem",
      applicationName: "cron",
      options: undefined,
      connectSeconds: 2,
    })
    expect(read("postgres://own@here:1/own?sslmode=disable", variables)).toMatchObject({
      host: "here",
      port: 1,
      user: "own",
      database: "own",
      sslMode: "disable",
    })
  })

  it.each([
    ["postgres://app@127.0.0.1/w", "prefer"],
    ["postgres://app@localhost/w", "prefer"],
    ["postgres://app@db/w", "verify-full"],
    ["postgres://app@10.0.0.7/w", "verify-full"],
    ["postgres://app@db/w?sslmode=prefer", "prefer"],
    ["postgres://app@db/w?ssl=true", "require"],
  ])("asks for TLS beyond this machine, unless it says otherwise: %s has %s", (text, mode) => {
    expect(read(text).sslMode).toBe(mode)
  })

  it.each([
    ["localhost", true],
    ["127.1.2.3", true],
    ["::1", true],
    ["/run/postgresql", true],
    ["127.0.0.1.example.com", false],
    ["localhost.example.com", false],
    ["192.168.0.1", false],
  ])("%s is this machine: %s", (host, is) => {
    expect(isHere(host)).toBe(is)
  })

  it.each([
    ["postgres://app@h/w?sslmode=no-verify", 'Unknown sslmode "no-verify"'],
    ["postgres://app@h/w?ssl_mode=require", "parameter of a name"],
    ["postgres://app@h/w?sslmod=require", 'parameter "sslmod"'],
    ["postgres://app@h/w?ssl=1", 'parameter "ssl"'],
    ["postgres://app@h/w?sslcert=a.pem", 'parameter "sslcert"'],
    ["postgres://app@h/w?channel_binding=require", "channel_binding"],
    ["postgres://app@h/w?target_session_attrs=read-write", "target_session_attrs"],
    ["postgres://app@h/w?connect_timeout=soon", "connect_timeout"],
    ["postgres://app@h1,h2/w", "several hosts"],
    ["postgres://app@h1:1,h2:2/w", "cannot be read"],
    ["postgres://app@h/%zz", "encodes nothing"],
    ["postgres://app@h/w?application_name=100%", "encodes nothing"],
    ["postgres://app@h/w?%zz=1", "encodes nothing"],
    ["postgres://app%00x@h/w", "encodes nothing"],
    ["postgres://app@h/w?sslmode", "Unknown sslmode"],
    ["postgres://app@h/w#x", "written as %23"],
    ["mysql://app@h/w", "cannot be read"],
  ])("%s is refused by name", (text, part) => {
    expect(problem(text)).toContain(part)
  })

  it.each([
    [{ PGSERVICE: "prod" }, "PGSERVICE"],
    [{ PGSSLCERT: "/c.pem" }, "PGSSLCERT"],
    [{ PGSSLCERTMODE: "require" }, "PGSSLCERTMODE"],
    [{ PGSSLMINPROTOCOLVERSION: "TLSv1.3" }, "PGSSLMINPROTOCOLVERSION"],
    [{ PGSSLMAXPROTOCOLVERSION: "TLSv1.2" }, "PGSSLMAXPROTOCOLVERSION"],
    [{ PGSSLMODE: "yes" }, "the variable PGSSLMODE"],
    [{ PGPORT: "http" }, "the variable PGPORT"],
    [{ PGCHANNELBINDING: "require" }, "the variable PGCHANNELBINDING"],
  ])("the variables %o are refused by name", (variables, part) => {
    expect(problem("postgres://app@h/w", variables)).toContain(part)
  })

  it("shows no secret that stands at a wrong place", () => {
    for (const text of [
      "postgres://app@h/w?sslmode=Tr0ub4dor%263",
      "postgres://app@h/w?Tr0ub4dor%263=x",
      "postgres://app:Tr0ub4dor%263@h/w?bad=1",
      "postgres://app@h:Tr0ub4dor%263/w",
    ])
      expect(problem(text)).not.toContain("Tr0ub4dor")
  })
})

describe("a password file", () => {
  const at = { host: "db.example.com", port: 5_432, database: "w", user: "app" }

  it.each([
    ["*:*:*:app:secret", "secret"],
    ["db.example.com:5432:w:app:se:cret", "se:cret"],
    ["# *:*:*:app:no\nother:*:*:*:no\n*:5432:*:app:yes\r\n*:*:*:*:late", "yes"],
    ["*:*:*:app:back\\\\slash\\:colon", "back\\slash:colon"],
    ["*:*:*:app: with spaces ", " with spaces "],
    ["*:*:*:other:no", undefined],
    ["*:*:*:app", undefined],
    ["", undefined],
  ])("%j gives %j", (file, password) => {
    expect(passwordIn(file, at)).toBe(password)
  })

  it("knows escaped colons in names, and a socket by the name localhost", () => {
    expect(passwordIn("\\:\\:1:*:a\\:b:app:secret", { ...at, host: "::1", database: "a:b" })).toBe("secret")
    expect(passwordIn("\uFEFF1:*:b:app:secret", { ...at, host: "1", database: "b" })).toBe("secret")
    expect(passwordIn("localhost:*:*:*:secret", { ...at, host: "/run/postgresql" })).toBe("secret")
  })
})

describe("a password", () => {
  it.each([
    ["plain", "plain"],
    ["cafe\u0301", "caf\u00E9"],
    ["\u2168", "IX"],
    ["I\u00ADX", "IX"],
    ["a\u00A0b", "a b"],
    ["\uFB01sh", "fish"],
    ["bell\u0007", "bell\u0007"],
    ["\u00AD", "\u00AD"],
    ["\u05D0\u00AD\u05D1", "\u05D0\u05D1"],
    ["\u05D0\u00A01\u00A0\u05D1", "\u05D0 1 \u05D1"],
    ["\u0627\u00AD\u0301", "\u0627\u00AD\u0301"],
    ["\u05D0\u00AD1", "\u05D0\u00AD1"],
    ["1\u00AD\u05D0", "1\u00AD\u05D0"],
    ["\u05D0\u00AA\u05D0", "\u05D0\u00AA\u05D0"],
    ["\u05D0\u2168\u05D0", "\u05D0\u2168\u05D0"],
    ["\u0627\u00AD\u0661\u0628", "\u0627\u0661\u0628"],
    ["\uFB20", "\u05E2"],
  ])("is prepared as the server does it: %j is %j", (password, prepared) => {
    expect(saslPrepared(password)).toBe(prepared)
  })
})
