/** A session bus that accepts connections and never answers, as after a desktop session has frozen. */
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import type { Socket } from "node:net"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface HungBus extends AsyncDisposable {
  /** For `DBUS_SESSION_BUS_ADDRESS`. */
  readonly address: string
  /** Waits until a program has connected. */
  readonly connected: Promise<unknown>
  /** Waits until no program is connected any more. */
  readonly left: () => Promise<void>
}

export const hungBus = async (): Promise<HungBus> => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-bus-"))
  const path = join(folder, "bus")
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.resume().on("error", () => {})
    socket.once("close", () => sockets.delete(socket))
  }).listen(path)
  await once(server, "listening")
  return {
    address: `unix:path=${path}`,
    connected: once(server, "connection"),
    left: async () => {
      for (const socket of sockets) await once(socket, "close")
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
