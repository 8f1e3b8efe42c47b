/**
 * A small client of WebDriver BiDi (W3C) over a WebSocket: commands and their answers, nothing more. Firefox speaks it without any driver
 * beside it.
 */

interface Reply {
  readonly type: "success" | "error" | "event"
  readonly id?: number
  readonly result?: unknown
  readonly error?: string
  readonly message?: string
}

export interface Bidi {
  /** Sends a command; rejects with what the browser says against it. */
  readonly send: <A = unknown>(method: string, params?: object) => Promise<A>
  readonly close: () => void
}

interface Waiting {
  readonly method: string
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

/** Connects to a browser's session address and begins a session. */
export const connect = async (url: string): Promise<Bidi> => {
  const socket = new WebSocket(url)
  const waiting = new Map<number, Waiting>()
  let last = 0
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve(), { once: true })
    socket.addEventListener("error", () => reject(new Error(`no WebDriver BiDi at ${url}`)), { once: true })
  })
  socket.addEventListener("message", ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply
    const asked = reply.id === undefined ? undefined : waiting.get(reply.id)
    if (asked === undefined || reply.id === undefined) return
    waiting.delete(reply.id)
    if (reply.type === "success") asked.resolve(reply.result as never)
    else asked.reject(new Error(`${asked.method}: ${reply.error}: ${reply.message}`))
  })
  socket.addEventListener("close", () => {
    for (const { method, reject } of waiting.values()) reject(new Error(`${method}: the browser is gone`))
    waiting.clear()
  })
  const send: Bidi["send"] = (method, params = {}) =>
    new Promise((resolve, reject) => {
      if (socket.readyState !== WebSocket.OPEN) {
        reject(new Error(`${method}: the browser is gone`))
        return
      }
      last += 1
      waiting.set(last, { method, resolve, reject })
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  await send("session.new", { capabilities: {} })
  return { send, close: () => socket.close() }
}
