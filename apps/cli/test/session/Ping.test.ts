import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { addressOf } from "../../src/session/Ping.ts"
import { bench } from "../harness/Cli.ts"

/** A monitor that answers with this status, or never, and what it was asked. */
const monitor = async (status: number | null) => {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    asked.push(`${request.method} ${request.url}${authorization === undefined ? "" : " with a key"}`)
    if (status !== null) response.writeHead(status).end("OK")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    asked,
    url,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe("--ping", () => {
  it.each([
    ["https://hc-ping.com/uuid", 0, "https://hc-ping.com/uuid"],
    ["https://hc-ping.com/uuid", 9, "https://hc-ping.com/uuid/fail"],
    ["https://hc-ping.com/key/slug/?create=1", 9, "https://hc-ping.com/key/slug/fail?create=1"],
    ["https://kuma.test/api/push/token", 0, "https://kuma.test/api/push/token?status=up&msg=exit+code+0"],
    [
      "https://kuma.test/api/push/token?status=up&msg=OK&ping=",
      9,
      "https://kuma.test/api/push/token?status=down&msg=exit+code+9&ping=",
    ],
    ["https://cronitor.link/p/key/nightly", 0, "https://cronitor.link/p/key/nightly?state=complete"],
    [
      "https://monitor.test/p/key/nightly?state=complete",
      130,
      "https://monitor.test/p/key/nightly?state=fail",
    ],
  ])("tells %s the exit code %s by GET %s", (address, exitCode, expected) => {
    expect(String(addressOf(new URL(address), exitCode))).toBe(expected)
  })

  it("is sent once the command has ended, however it ended, and holds no key", async () => {
    await using it = await bench({ contracts: 3 })
    await using at = await monitor(200)
    const args = ["export", "keys", "--out", "a.csv", "--quiet", "--ping", `${at.url}/check`]
    const fine = await it.run(args)
    expect([fine.code, fine.stderr, at.asked]).toEqual([0, "", ["GET /check"]])
    expect((await it.run(args)).code).toBe(10)
    expect((await it.run([...args, "--overwirte"])).code).toBe(2)
    expect(at.asked).toEqual(["GET /check", "GET /check/fail", "GET /check/fail"])
  })

  it("is sent where the command is interrupted", async () => {
    await using it = await bench({ faults: ["stall:page=2"] })
    await using at = await monitor(200)
    const { code } = await it.run(["export", "contracts", "--out", "a.csv", "--ping", `${at.url}/check`], {
      onStart: (child) => {
        const stop = it.emulator.journal.watch(({ fault }) => {
          if (fault !== "stall") return
          stop()
          child.kill("SIGTERM")
        })
      },
    })
    expect([code, at.asked]).toEqual([143, ["GET /check/fail"]])
  })

  it.each([
    [404, "it answered with 404"],
    [302, "it answered with 302"],
  ])("that is answered with %s is said, and changes nothing else", async (status, problem) => {
    await using it = await bench({ contracts: 3 })
    await using at = await monitor(status)
    const { code, stderr } = await it.run(["me", "--json", "--ping", `${at.url}/secret-of-the-check`])
    expect([code, stderr]).toEqual([0, `The ping to ${at.url} failed: ${problem}.\n`])
  })

  it("that is not answered or finds nobody is given up within 10 seconds", async () => {
    await using it = await bench({ contracts: 3 })
    await using silent = await monitor(null)
    const started = performance.now()
    const [unanswered, nobody] = await Promise.all(
      [silent.url, "http://127.0.0.1:1"].map((url) => it.run(["me", "--quiet", "--ping", `${url}/check`])),
    )
    expect(performance.now() - started).toBeLessThan(15_000)
    expect([unanswered?.code, unanswered?.stderr]).toEqual([
      0,
      `The ping to ${silent.url} failed: no answer within 10 s.\n`,
    ])
    expect([nobody?.code, nobody?.stderr]).toEqual([
      0,
      "The ping to http://127.0.0.1:1 failed: ECONNREFUSED.\n",
    ])
  })

  it("goes through the proxy of the environment, and names it where it cannot be used", async () => {
    await using it = await bench({ contracts: 3 })
    await using proxy = await monitor(200)
    const args = ["me", "--quiet", "--ping", "http://monitor.test/check"]
    const canUseProxies = process.allowedNodeEnvironmentFlags.has("--use-env-proxy")
    const tooOld =
      `The ping to http://monitor.test failed: A proxy is set (http_proxy), and Node ${process.versions.node} cannot use it. ` +
      "Use Node 22.21, 24.5 or later, or unset the proxy. Correct the variable, or name the host in NO_PROXY.\n"
    expect(await it.run(args, { env: { http_proxy: proxy.url } })).toMatchObject({
      code: 0,
      stderr: canUseProxies ? "" : tooOld,
    })
    expect(proxy.asked).toEqual(canUseProxies ? ["GET http://monitor.test/check"] : [])
    const { code, stderr } = await it.run(args, { env: { http_proxy: "socks5://127.0.0.1:1" } })
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^The ping to http:\/\/monitor\.test failed: .*http_proxy.*[^.]\.\n$/),
    ])
  })

  it.each(["hc-ping.com/uuid", "ftp://h.test/uuid", "https://user:password@h.test/uuid"])(
    "refuses %s before anything is sent",
    async (address) => {
      await using it = await bench({ contracts: 3 })
      const { code, stderr } = await it.run(["me", "--ping", address])
      expect([code, stderr]).toEqual([2, expect.stringContaining("--ping takes the URL")])
      expect(stderr).not.toContain("password@")
      expect(it.emulator.journal.entries).toEqual([])
    },
  )
})
