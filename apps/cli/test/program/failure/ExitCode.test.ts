import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import { describe, expect, it } from "vitest"
import { Failure } from "../../../src/failure/Failure.ts"
import type { Reason } from "../../../src/failure/Failure.ts"
import * as ExitCode from "../../../src/failure/ExitCode.ts"
import { bench, lastJson } from "../../harness/Cli.ts"

describe("exit codes", () => {
  it("are those that scripts rely on", () => {
    expect(ExitCode.codes).toEqual({
      done: 0,
      bug: 1,
      usage: 2,
      notFound: 3,
      authentication: 4,
      permission: 5,
      rateLimited: 6,
      network: 7,
      notAsSpecified: 8,
      notComplete: 9,
      local: 10,
      pagination: 11,
      findings: 12,
      interrupted: 130,
    })
  })

  it("are those of a shell for a program that a signal has ended", () => {
    expect(ExitCode.signalCodes).toEqual({ SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 })
    expect(ExitCode.ofExit(Exit.failCause(Cause.interrupt(1)), "SIGTERM")).toBe(143)
    expect(ExitCode.ofExit(Exit.void, "SIGTERM")).toBe(0)
  })

  it("distinguish success, a bug and an interruption", () => {
    expect(ExitCode.ofExit(Exit.void)).toBe(0)
    expect(ExitCode.ofExit(Exit.die(new TypeError("undefined is not a function")))).toBe(1)
    expect(ExitCode.ofExit(Exit.failCause(Cause.interrupt(1)))).toBe(130)
  })

  it("distinguish findings and unknown ids from success", () => {
    const codeOf = (reason: Reason) => ExitCode.ofExit(Exit.fail(new Failure({ reason })))
    expect(codeOf({ _tag: "UnknownIds", what: "contract", ids: [7], found: 2 })).toBe(3)
    expect(codeOf({ _tag: "AuditFindings", findings: 1 })).toBe(12)
  })

  it.concurrent.each([
    ["3 when there is no such record", ["contracts", "get", "99"], "full", "NotFound", 3],
    ["4 for a revoked key", ["me"], "revoked", "Unauthenticated", 4],
    ["5 for a key without the scope", ["keys", "list"], "contractsOnly", "Forbidden", 5],
  ] as const)("are %s", async (_, args, key, error, code) => {
    await using it = await bench()
    const secret = it.emulator.secrets[key]
    const ended = await it.call([...args, "--json"], { env: { DEEDKIT_API_KEY: secret }, secret })
    expect([ended.code, ended.stdout]).toEqual([code, ""])
    expect(lastJson(ended.stderr)).toMatchObject({ error, exitCode: code })
  })

  it.concurrent("are 7 without a connection", async () => {
    await using it = await bench()
    const env = { DEEDKIT_BASE_URL: "http://127.0.0.1:1" }
    const { code, stderr } = await it.call(["me", "--attempts", "1"], { env })
    expect(code).toBe(7)
    expect(stderr).toContain("no connection")
  })
})
