import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url))

const start = (...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, ["--conditions=@deedkit/source", bin, ...args])
  const said = { out: "", err: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text))
  const closed = once(child, "close").then(([code]) => code as number | null)
  return { child, said, closed }
}

const ready = async ({ child, said, closed }: ReturnType<typeof start>) => {
  await Promise.race([once(child.stdout, "data"), closed])
  const match = /^ready url=(\S+) key=(\S+)(?: control=(\S+))?\n$/.exec(said.out)
  return { url: match?.[1] ?? "", key: match?.[2] ?? "", control: match?.[3] }
}

describe("deedkit-emulator", () => {
  it("serves the listing web site beside the service", async () => {
    const run = start("--quiet", "--site-port", "0", "--contracts", "3")
    await once(run.child.stdout, "data")
    const [, address] = / site=(\S+)\n$/.exec(run.said.out) ?? []
    expect(await (await fetch(`${address}/`)).text()).toContain('<ul class="cards">')
    run.child.kill("SIGTERM")
    expect(await run.closed).toBe(0)
  })

  it("prints one line when it is ready, logs each request, and stops on SIGTERM with 0", async () => {
    const run = start("--control-port", "0", "--contracts", "3", "--fault", "drop:requests=2")
    const { url, key, control } = await ready(run)
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${url}/v1/contracts/?limit=2`, { headers })
    expect(((await answer.json()) as { items: ReadonlyArray<unknown> }).items).toHaveLength(2)
    await expect(fetch(`${url}/v1/me/`, { headers })).rejects.toThrow(TypeError)
    const journal = (await (await fetch(`${control}/journal`)).json()) as { entries: ReadonlyArray<unknown> }
    expect(journal.entries).toHaveLength(2)
    run.child.kill("SIGTERM")
    expect(await run.closed).toBe(0)
    const lines = run.said.err.trim().split("\n")
    expect(lines[0]).toMatch(/^\S+Z 200 GET \/v1\/contracts\/\?limit=2 \d+ B req_\w+$/)
    expect(lines[1]).toMatch(/ --- GET \/v1\/me\/ 0 B req_\w+ fault=drop$/)
    expect(run.said.err).not.toContain(key)
  })

  it("listens for signals before it says that it is ready", async () => {
    const run = start("--quiet")
    run.child.stdout.once("data", () => run.child.kill("SIGTERM"))
    expect(await run.closed).toBe(0)
  })

  it("is silent with --quiet and stops on SIGINT with 0", async () => {
    const run = start("--quiet")
    const { url, control } = await ready(run)
    await fetch(`${url}/v1/me/`)
    expect(control).toBeUndefined()
    run.child.kill("SIGINT")
    expect(await run.closed).toBe(0)
    expect(run.said.err).toBe("")
  })

  it("says what is wrong with its flags in one sentence and exits with 2", async () => {
    for (const [args, sentence] of [
      [["--fault", "latncy"], 'there is no fault "latncy"; did you mean "latency"?'],
      [["--prot", "0"], 'there is no flag --prot; did you mean "--port"?'],
    ] as const) {
      const run = start(...args)
      expect(await run.closed).toBe(2)
      expect(run.said).toEqual({ out: "", err: `deedkit-emulator: ${sentence}\n` })
    }
  })

  it("exits with 1 when a port is taken, and does not start the other one", async () => {
    const holder = createServer()
    await once(holder.listen(0, "127.0.0.1"), "listening")
    const { port } = holder.address() as AddressInfo
    for (const flag of ["--port", "--control-port"]) {
      const run = start(flag, String(port))
      expect(await run.closed).toBe(1)
      expect(run.said.out).toBe("")
      expect(run.said.err).toMatch(new RegExp(`^deedkit-emulator: .*EADDRINUSE.*:${port}\\n$`))
    }
    holder.close()
  })

  it("stops on SIGTERM although a client is being kept waiting", async () => {
    const run = start("--fault", "latency:ms=3600000", "--control-port", "0")
    const { url, control } = await ready(run)
    const waiting = fetch(`${url}/v1/me/`)
    const lost = waiting.then(
      () => "answered",
      (cause: unknown) => String(cause),
    )
    const asked = async () => {
      const { entries } = (await (await fetch(`${control}/journal`)).json()) as {
        entries: ReadonlyArray<unknown>
      }
      return entries.length
    }
    while ((await asked()) === 0) expect(run.child.exitCode).toBeNull()
    run.child.kill("SIGTERM")
    expect(await lost).toContain("fetch failed")
    expect(await run.closed).toBe(0)
  })

  it("prints its help on stdout", async () => {
    const run = start("--help")
    expect(await run.closed).toBe(0)
    expect(run.said.out).toContain("Usage: deedkit-emulator")
  })
})
