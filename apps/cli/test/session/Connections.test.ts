/** Proxies as the commands use and name them; how their variables are read is tested with core. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"

/** Node's agents have proxies from the version on that has this flag. */
const canUseProxies = process.allowedNodeEnvironmentFlags.has("--use-env-proxy")
const tooOld = (variable: string): string =>
  `A proxy is set (${variable}), and Node ${process.versions.node} cannot use it. Use Node 22.21, 24.5 or later, or unset the proxy.`

/** A proxy that answers every CONNECT with the status, and remembers which hosts it was asked for. */
const proxy = async (status: number) => {
  const asked: Array<string> = []
  const server = createServer()
    .on("connect", ({ url = "" }, socket) => {
      asked.push(url)
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    })
    .listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    asked,
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

describe("a proxy of the environment", () => {
  it.each([
    ["me", "HTTPS_PROXY"],
    ["contracts list", "https_proxy"],
    ["export contracts --out never.csv", "HTTPS_PROXY"],
    ["sync --to never.sqlite", "ALL_PROXY"],
    ["doctor", "HTTPS_PROXY"],
    ["auth login --with-key --insecure-storage", "all_proxy"],
  ])(
    "is what %s goes through, and is named with %s when it refuses or Node is too old",
    async (line, variable) => {
      await using it = await bench()
      await using refusing = await proxy(407)
      const args = [...line.split(" "), "--base-url", "https://api.example.test", "--attempts", "1"]
      const { code, stderr, stdout } = await it.run(args, {
        stdin: it.emulator.apiKey,
        env: {
          DEEDKIT_BASE_URL: undefined,
          ...(line.startsWith("auth") ? { DEEDKIT_API_KEY: undefined } : {}),
          [variable]: `http://ada:password@${refusing.host}`,
        },
      })
      expect([code, `${stdout}${stderr}`]).toEqual(
        canUseProxies
          ? [7, expect.stringContaining(`http://${refusing.host} (${variable})`)]
          : [2, expect.stringContaining(tooOld(variable))],
      )
      expect(`${stdout}${stderr}`).not.toContain("ada:password")
      expect(new Set(refusing.asked)).toEqual(new Set(canUseProxies ? ["api.example.test:443"] : []))
    },
  )

  it("stands in the settings, without its password; so does one that cannot be used", async () => {
    await using it = await bench()
    const explained = async (env: Readonly<Record<string, string>>) => {
      const { stdout } = await it.call(["config", "explain"], {
        env: { DEEDKIT_BASE_URL: "https://api.example.test", ...env },
      })
      return stdout.split("\n").filter((line) => line.startsWith("proxy"))
    }
    expect(await explained({ https_proxy: "ada:password@proxy.test:3128" })).toEqual([
      canUseProxies
        ? expect.stringMatching(/^proxy +http:\/\/proxy\.test:3128 +\[https_proxy\]$/)
        : expect.stringContaining(tooOld("https_proxy")),
    ])
    expect(await explained({ HTTPS_PROXY: "socks5://proxy.test:1" })).toEqual([
      expect.stringMatching(/HTTPS_PROXY/),
    ])
    expect(await explained({ HTTPS_PROXY: "proxy.test:1", NO_PROXY: "other.test example.test" })).toEqual([])
  })
})
