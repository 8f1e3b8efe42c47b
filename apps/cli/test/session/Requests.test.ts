/** What the program sends, whatever the command: it only reads, and it connects to the service and to nobody else. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { readdir, writeFile } from "node:fs/promises"
import type { Socket } from "node:net"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { account } from "../harness/Account.ts"

/** Commands that send requests; OUT is a file in the folder of the test, KEYFILE one with the key. */
const sending: ReadonlyArray<string> = [
  "auth login --base-url URL --key-file KEYFILE",
  "auth status",
  "me",
  "api /v1/contracts/ --query limit=1",
  "contracts list",
  "contracts list --all --where status=active --sort -id",
  "contracts get ID --data",
  "keys list",
  "keys audit",
  "doctor --save",
  "export contracts --data --out OUT.csv",
  "export all --out OUT.xlsx --debug-bundle OUT.log --log OUT.events",
  "sync --all --to OUT.sqlite",
  "sync verify OUT.sqlite --all",
]

/** Commands that need no service. */
const silent: ReadonlyArray<string> = [
  "export contracts --out OUT.json --dry-run",
  "export verify OUT.csv",
  "sync status OUT.sqlite",
  "sync changes OUT.sqlite --since 1d --format html",
  "profile list",
  "config explain",
  "--help",
  "--version",
  "auth logout",
]

describe("whatever the command", () => {
  /** Every address that a connection was tried to, and every name that was looked up. */
  const reached = new Set<string>()
  const opened = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket }
    socket.on("connectionAttempt", (ip, port) => reached.add(`${ip}:${port}`))
    socket.on("lookup", (_error, _address, _family, host) => reached.add(host))
  }
  beforeEach(() => subscribe("net.client.socket", opened))
  afterEach(() => void unsubscribe("net.client.socket", opened))

  it("the program only reads, and connects to the service and to nobody else", async () => {
    await using it = await account({ contracts: 12 })
    const key = join(it.folder, "key")
    await writeFile(key, it.emulator.apiKey, { mode: 0o600 })
    const words: Readonly<Record<string, string>> = {
      URL: it.url,
      ID: String(it.emulator.store.contracts[0]!.id),
      KEYFILE: key,
    }
    const run = async (command: string) => {
      it.emulator.journal.clear()
      reached.clear()
      const args = command
        .split(" ")
        .map((word) => words[word] ?? word.replace(/^OUT/, join(it.folder, "out")))
      const { code, stderr } = await it.call(args)
      expect({ command, code, stderr }).toMatchObject({ command, code: 0 })
      return { reached: [...reached], requests: it.emulator.journal.entries }
    }
    for (const command of sending) {
      const { reached, requests } = await run(command)
      expect({ command, reached }).toEqual({ command, reached: [new URL(it.url).host] })
      const sent = requests.map(({ headers, method }) => [
        method,
        headers["content-length"] ?? headers["transfer-encoding"] ?? "no body",
      ])
      expect({ command, sent: new Set(sent.map(String)) }).toEqual({
        command,
        sent: new Set(["GET,no body"]),
      })
    }
    for (const command of silent) {
      expect({ command, ...(await run(command)) }).toEqual({ command, reached: [], requests: [] })
    }
    expect((await readdir(it.folder)).filter((name) => name.startsWith("out.json"))).toEqual([])
  })
})
