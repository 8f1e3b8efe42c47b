/**
 * Delivers an answer: its bytes in chunks, with the waits, cuts and stalls that faults asked for.
 * One generator serves the in-process `Response` and the socket. Does not know the faults.
 */
import type { Answer, Delivery } from "./Answer.ts"
import { stall, wait } from "../settings/Clock.ts"
import type { Clock } from "../settings/Clock.ts"

/** The error that an HTTP layer reports when a connection ends before the head, or in the middle of a body. */
export const connectionLost = (message: "fetch failed" | "terminated"): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }) })

/** Whether the body is sent whole and at once. */
export const isPlain = ({ cutAfter, stallAfter, throttle }: Delivery): boolean =>
  cutAfter === undefined && stallAfter === undefined && throttle === undefined

/** Bytes of the body that are sent. */
export const bytesSent = (length: number, { cutAfter, drop, stallAfter }: Delivery): number =>
  drop === true ? 0 : Math.min(length, cutAfter ?? length, stallAfter ?? length)

/** The bytes as they are sent; throws `connectionLost` at a cut, and the signal's reason when the client gives up. */
export async function* chunks(
  bytes: Uint8Array<ArrayBuffer>,
  delivery: Delivery,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const end = bytesSent(bytes.length, delivery)
  const step = delivery.throttle?.chunkBytes ?? Math.max(1, end)
  for (let at = 0; at < end; at += step) {
    if (delivery.throttle !== undefined) await wait(clock, delivery.throttle.chunkMs, signal)
    yield bytes.subarray(at, Math.min(end, at + step))
  }
  if (delivery.stallAfter !== undefined && end < bytes.length) await stall(signal)
  if (end < bytes.length) throw connectionLost("terminated")
}

/** The bytes, gzipped. */
export const gzipped = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
  )

const bodiless = new Set([204, 205, 304])

/**
 * The answer as `fetch` would give it. Rejects with `TypeError("fetch failed")` for a dropped connection.
 * A gzipped body is returned unpacked, as an HTTP layer does, with the headers of the packed one.
 */
export const toResponse = async (
  answer: Answer,
  bytes: Uint8Array<ArrayBuffer>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Response> => {
  const { delivery } = answer
  if (delivery.drop === true) throw connectionLost("fetch failed")
  const length = delivery.gzip === true ? (await gzipped(bytes)).length : bytes.length
  const head = { status: answer.status, headers: { ...answer.headers, "content-length": String(length) } }
  if (bodiless.has(answer.status)) return new Response(null, head)
  return new Response(isPlain(delivery) ? bytes : stream(chunks(bytes, delivery, clock, signal)), head)
}

const stream = (
  source: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await source.next()
          if (done === true) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(error)
        }
      },
    },
    { highWaterMark: 0 },
  )
