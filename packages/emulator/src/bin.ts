#!/usr/bin/env node
/** The command `deedkit-emulator`: wires flags, emulator, ports and signals. Exit codes: 0 stopped, 1 port, 2 usage. */
import { make } from "./Emulator.ts"
import { help, parse } from "./Flags.ts"
import type { JournalEntry } from "./Journal.ts"
import { listen, listenControl, listenSite } from "./node.ts"
import { InvalidSetting } from "./Setting.ts"

const main = async (): Promise<void> => {
  const flags = parse(process.argv.slice(2))
  if (flags.help) {
    process.stdout.write(help())
    return
  }
  const emulator = make(flags.emulator)
  if (!flags.quiet) emulator.journal.watch((entry) => process.stderr.write(`${line(entry)}\n`))

  const { host, port, controlPort, sitePort } = flags
  const service = await listen(emulator, { host, port })
  const servers = [service]
  const close = () => Promise.all(servers.map((server) => server.close()))
  const beside = async (name: string, listening: typeof listenControl, itsPort: number | undefined) => {
    if (itsPort === undefined) return ""
    const server = await listening(emulator, { port: itsPort }).catch(async (error: unknown) => {
      await close()
      throw error
    })
    servers.push(server)
    return ` ${name}=${server.url}`
  }
  const control = await beside("control", listenControl, controlPort)
  const site = await beside("site", listenSite, sitePort)
  const stop = () => void close()
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)

  process.stdout.write(`ready url=${service.url} key=${emulator.apiKey}${control}${site}\n`)
}

const line = ({ at, bodyBytes, fault, method, path, query, requestId, status }: JournalEntry): string => {
  const search = new URLSearchParams(query).toString()
  const what = `${method} ${path}${search === "" ? "" : `?${search}`}`
  return `${at} ${status === 0 ? "---" : status} ${what} ${bodyBytes} B ${requestId}${fault === null ? "" : ` fault=${fault}`}`
}

try {
  await main()
} catch (error) {
  if (!(error instanceof Error)) throw error
  process.stderr.write(`deedkit-emulator: ${error.message}\n`)
  process.exitCode = error instanceof InvalidSetting ? 2 : 1
}
