/** A webhook: an HTTP server that keeps what it was sent, and answers as it is told. */
import { createServer } from "node:http"
import type { IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A status, with headers where it needs some; `cut` closes the connection without an answer, `silent` leaves it open. */
type Answer =
  | number
  | "cut"
  | "silent"
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> }

export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: ReadonlyArray<Received>
}

/** Gives the answers one after the other, and the last one from then on. */
export const receiver = async (...answers: ReadonlyArray<Answer>): Promise<Receiver> => {
  const received: Array<Received> = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      const answer = answers[Math.min(received.length, answers.length - 1)] ?? 200
      const { headers, method = "", url: path = "" } = request
      received.push({ method, path, headers, body })
      if (answer === "cut") return request.socket.destroy()
      if (answer === "silent") return
      const { headers: own = {}, status } = typeof answer === "number" ? { status: answer } : answer
      response.writeHead(status, { ...own }).end("<p>What a webhook says is not read</p>")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
