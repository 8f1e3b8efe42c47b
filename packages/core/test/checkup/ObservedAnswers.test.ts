import { inspect } from "node:util"
import type * as Transport from "../../src/Transport.ts"
import { describe, expect, it } from "vitest"
import * as ObservedAnswers from "../../src/checkup/ObservedAnswers.ts"

const key = "dk_secret_0123456789"

const answering =
  (status: number, headers: Readonly<Record<string, string>>, text: string): Transport.Send =>
  async () => ({ status, headers, text, header: (name) => headers[name] ?? null })

const request: Transport.TransportRequest = {
  url: "https://api.example.com/v1/me/",
  headers: { authorization: `Bearer ${key}` },
  connectMillis: 1_000,
  idleMillis: 1_000,
  maxBodyBytes: 1_000,
}
const cancellation: Transport.Cancellation = { signal: new AbortController().signal, onCancel: () => {} }

describe("observed answers", () => {
  it("keep the headers that are looked for, and the shape of an error", async () => {
    const clock = [10, 25]
    const observer = ObservedAnswers.make(5, () => clock.shift() ?? 0)
    const headers = { "x-request-id": "req_1", "set-cookie": "session=1", "retry-after": "2" }
    await observer.wrap(answering(404, headers, '{"error":"gone"}'))(request, cancellation)
    expect(observer.answers).toEqual([
      {
        status: 404,
        sentAt: 10,
        receivedAt: 25,
        headers: { "x-request-id": "req_1", "retry-after": "2" },
        errorShape: "{error: string}",
      },
    ])
  })

  it("keep no key that a server echoes, nor what a terminal would act upon", async () => {
    const observer = ObservedAnswers.make(5)
    const headers = { "x-request-id": `for ${key}`, ratelimit: "\u001B[2J" }
    const send = observer.wrap(answering(401, headers, JSON.stringify({ [key]: key })))
    await send(request, cancellation)
    expect(observer.answers[0]).toMatchObject({
      headers: { "x-request-id": "?", ratelimit: "?" },
      errorShape: "{?: string}",
    })
    expect(inspect(observer.answers, { depth: 9 })).not.toContain(key)
  })

  it("name no member of an error that holds a part of the key, or is one", async () => {
    const observer = ObservedAnswers.make(5)
    const body = JSON.stringify({ [`x_${key.slice(4, 14)}`]: 1, [key.slice(4, 10)]: 1, code: 1 })
    await observer.wrap(answering(500, {}, body))(request, cancellation)
    expect(observer.answers[0]?.errorShape).toBe("{?: number, ?: number, code: number}")
  })

  it("let so many requests through and no more", async () => {
    const observer = ObservedAnswers.make(1)
    const send = observer.wrap(answering(200, {}, "{}"))
    await send(request, cancellation)
    await expect(send(request, cancellation)).rejects.toThrow("the 1 requests that were allowed are used up")
    expect([observer.requests(), observer.answers.length]).toEqual([1, 1])
  })
})
