/**
 * `pnpm dev` without a window, on a copy of the sources. The copy's background calls a server of the test each time that it starts, so that the
 * test knows what runs in the browser.
 */
import { spawn } from "node:child_process"
import { EventEmitter, once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { it as browserTest, kind, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import { said } from "../Words.ts"
import * as Development from "./Development.ts"
import * as SourceCopy from "./SourceCopy.ts"

/** A running `pnpm dev`, with what it has written. */
const start = (program: string, temporary: string, env: NodeJS.ProcessEnv = {}) => {
  const options = ["--headless", ...(kind.target === "firefox" ? ["--firefox"] : [])]
  const child = spawn(process.execPath, ["--conditions=@deedkit/source", program, ...options], {
    env: { ...process.env, TMPDIR: temporary, ...env },
    detached: true,
  })
  let output = ""
  child.stdout.on("data", (text) => (output += String(text)))
  child.stderr.on("data", (text) => (output += String(text)))
  const ended = once(child, "exit")
  return {
    output: () => output,
    /** Presses Ctrl-C, which a terminal tells every process that has been started there. */
    interrupt: () => child.exitCode ?? process.kill(-child.pid!, "SIGINT"),
    /** The exit code, at the end. */
    ended: async () => (await ended)[0] as number | null,
    /** Waits for words that come after what has been waited for. */
    writes: async (words: string) => {
      await until(
        `"${words}" in the output`,
        async () => output,
        (text) => text.includes(words) || child.exitCode !== null,
        60_000,
      )
      expect(output).toContain(words)
      output = output.slice(output.indexOf(words) + words.length)
    },
  }
}

/** Saves as editors do: another file takes the name. */
const save = async (path: string, text: string): Promise<void> => {
  await writeFile(`${path}~`, text)
  await rename(`${path}~`, path)
}

/** The processes whose command line names a folder. */
const processesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  const commands = ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => ""))
  return (await Promise.all(commands)).filter((command) => command.includes(folder))
}

const it = browserTest
  /** An empty folder that is removed after the test. */
  .extend("folder", async ({}, { onCleanup }) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "deedkit-dev-test-")))
    onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
    return folder
  })
  /** A server, and the paths that browsers have asked it for. */
  .extend("heard", async ({}, { onCleanup }) => {
    const calls = new EventEmitter()
    const server = createServer(({ headers, url = "" }, response) => {
      // A build looks into the entry points, and is no browser.
      if (headers["user-agent"]?.startsWith("Mozilla/") === true) calls.emit(url)
      response.writeHead(204, { "access-control-allow-origin": "*" }).end()
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    onCleanup(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      /** Waits for a call that comes after this. */
      next: (path: string) => once(calls, path, { signal: AbortSignal.timeout(60_000) }),
    }
  })

scenario("pnpm dev", () => {
  it("can be set up with what it prints: badges are at the links of its listing site", async () => {
    await using ends = new AsyncDisposableStack()
    const stop = new AbortController()
    ends.defer(() => stop.abort())
    let printed = ""
    const { driver } = await Development.open(ends, {
      kind,
      isVisible: false,
      signal: stop.signal,
      print: (text) => (printed += `${text}\n`),
      printError: (text) => (printed += `${text}\n`),
    })
    const value = (label: string) => new RegExp(`^  ${label} +(\\S+)$`, "m").exec(printed)![1]!
    const site = value("Listing site")
    const steps = /^In the set-up, .*?\. /ms.exec(printed)![0]
    const buttons = [...steps.matchAll(/"([^"]+)"/g)].map(([, name]) => name!)
    const [allowAddress, tryKey, afterKey, allowSite, afterSite] = buttons

    const setUp = await driver.tabAt(`${driver.origin}/welcome.html`)
    await setUp.fill(said("addressLabel"), value("API address"))
    await setUp.click("button", allowAddress!)
    await setUp.fill(said("keyLabel"), value("API key"))
    await setUp.click("button", tryKey!)
    await setUp.click("button", afterKey!)
    await setUp.fill(said("siteLabel"), site)
    await setUp.click("button", allowSite!)
    await setUp.click("button", afterSite!)

    const page = await driver.open(`${driver.origin}/options.html`)
    await (await driver.tabAt(`${site}/`)).resize(1280, 3000)
    const { badges } = await until(
      "badges on the listing site",
      () => Marks.look(page, `${site}/`),
      (marks) => marks.badges.length > 10,
      60_000,
    )
    expect(badges[0]!.label).toContain("contract")
  })

  it("reloads what changes with its profile and its tabs, outlives a broken build, and leaves nothing after Ctrl-C", async ({
    folder,
    heard,
    onTestFinished,
  }) => {
    const copy = join(folder, "copy")
    const temporary = join(folder, "temporary")
    await mkdir(temporary)
    await SourceCopy.make(copy)
    const dev = start(join(copy, "apps/extension/test/e2e/dev/dev.ts"), temporary)
    onTestFinished(async () => {
      dev.interrupt()
      await dev.ended()
    })
    await dev.writes("Ctrl-C ends everything.")
    expect(dev.output()).toBe("\n")

    const background = join(copy, "apps/extension/src/background/Background.ts")
    const before = await readFile(background, "utf8")
    const starts = `
      globalThis.chrome?.storage?.local.get("starts").then(async ({ starts = 0 }) => {
        await chrome.storage.local.set({ starts: starts + 1 })
        await fetch(\`${heard.url}/\${starts + 1}\`)
      })
    `
    const [first, reopened] = [heard.next("/1"), heard.next("/welcome")]
    const welcome = join(copy, "apps/extension/src/entrypoints/welcome/main.tsx")
    await save(welcome, `${await readFile(welcome, "utf8")}\nvoid fetch("${heard.url}/welcome")\n`)
    await save(background, before + starts)
    await Promise.all([first, reopened])
    await dev.writes("Reloaded the extension.")

    await save(background, `${before}const = 1\n`)
    await dev.writes("Unexpected token")
    await dev.writes("The next change is built again.")
    const second = heard.next("/2")
    await save(background, before + starts)
    await second
    await dev.writes("Reloaded the extension.")

    const third = heard.next("/3")
    const client = join(copy, "packages/core/src/PropertyClient.ts")
    await save(client, `${await readFile(client, "utf8")}// A change.\n`)
    await dev.writes("Changed: packages/core/src/PropertyClient.ts")
    await third
    await dev.writes("Reloaded the extension.")

    expect(await processesIn(temporary)).not.toEqual([])
    dev.interrupt()
    expect(await dev.ended()).toBe(0)
    expect(await processesIn(temporary)).toEqual([])
    expect(await readdir(temporary)).toEqual([])
  })

  it("leaves nothing when it is interrupted while it builds", async ({ folder, onTestFinished }) => {
    const dev = start(join(import.meta.dirname, "dev.ts"), folder)
    onTestFinished(async () => {
      dev.interrupt()
      await dev.ended()
    })
    await dev.writes("Building the extension")
    dev.interrupt()
    expect(await dev.ended()).toBe(0)
    expect(dev.output()).not.toMatch(/Error|does not build/)
    expect(await processesIn(folder)).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })

  it("says which programs it has looked for when there is no browser", async ({ folder }) => {
    const dev = start(join(import.meta.dirname, "dev.ts"), folder, { PATH: folder })
    expect(await dev.ended()).toBe(1)
    expect(dev.output()).toMatch(/^\w+ is not installed: none of .*\n\nInstall it, /)
    expect(await readdir(folder)).toEqual([])
  })
})
