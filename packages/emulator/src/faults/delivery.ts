/** Faults in how an answer travels: late, in pieces, packed, cut off, or not at all. */
import { choice, flag, integer, number } from "../Setting.ts"
import { json, withDelivery, withHeaders } from "../Answer.ts"
import { define } from "./Fault.ts"

export const delivery = {
  /** The answer is delayed. For time limits and for the order of parallel calls. Limits 3. */
  latency: define({
    description: "Waits before anything else happens.",
    attributes: { ms: number(1000, "milliseconds of the clock") },
    start: ({ ms }) => ({
      before: async (exchange) => {
        await exchange.wait(ms)
        return undefined
      },
    }),
  }),

  /** The connection ends before a status line. The service may or may not have seen the request. */
  drop: define({
    description: "Closes the connection before any head is sent.",
    attributes: {},
    start: () => ({ before: () => withDelivery(json(200, ""), { drop: true }) }),
  }),

  /** The connection ends in the middle of the body, which is shorter than `content-length` promised. */
  cut: define({
    description: "Closes the connection in the middle of the body.",
    attributes: {
      bytes: integer(0, "bytes that still arrive; 0 leaves it to fraction"),
      fraction: number(0.5, "part of the body that still arrives"),
    },
    start: ({ bytes, fraction }) => ({
      answer: (answer) => {
        const length = new TextEncoder().encode(answer.body).length
        const kept = bytes > 0 ? bytes : Math.floor(length * fraction)
        return withDelivery(answer, { cutAfter: Math.min(kept, Math.max(0, length - 1)) })
      },
    }),
  }),

  /** The body is sent slowly. For time limits to the last byte, and between bytes. Limits 3. */
  slow: define({
    description: "Sends the body in small chunks with waits between them.",
    attributes: {
      bytesPerSecond: number(1000, "speed", 1),
      chunkMs: number(100, "milliseconds of the clock before each chunk", 1),
    },
    start: ({ bytesPerSecond, chunkMs }) => ({
      answer: (answer) =>
        withDelivery(answer, {
          throttle: { chunkBytes: Math.max(1, Math.round((bytesPerSecond * chunkMs) / 1000)), chunkMs },
        }),
    }),
  }),

  /** The connection stays open and silent until the client gives up. Limits 3. */
  stall: define({
    description: "Sends the head and then nothing more until the client gives up.",
    attributes: {
      bytes: integer(0, "bytes of the body that still arrive"),
      head: flag(true, "whether the head is sent at all"),
    },
    start: ({ bytes, head }) => ({
      before: async (exchange) => {
        if (!head) await exchange.stall()
        return undefined
      },
      answer: (answer) => withDelivery(answer, { stallAfter: bytes }),
    }),
  }),

  /** An answer far larger than any page, for clients that must not read without a limit. */
  huge: define({
    description: "Sends a body of many megabytes.",
    attributes: {
      bytes: integer(40_000_000, "bytes that are added", 1),
      form: choice(["valid", "rubbish"], "valid", "the same JSON with a long member, or no JSON at all"),
    },
    start: ({ bytes, form }) => ({
      answer: (answer) => ({
        ...answer,
        body:
          form === "valid" && answer.body.endsWith("}")
            ? `${answer.body.slice(0, -1)},"padding":"${"x".repeat(bytes)}"}`
            : "x".repeat(bytes),
      }),
    }),
  }),

  /** A correct gzipped body, which a client's HTTP layer is expected to unpack by itself. */
  gzip: define({
    description: "Sends the body gzipped, with content-encoding.",
    attributes: {},
    start: () => ({
      answer: (answer) =>
        withDelivery(withHeaders(answer, { "content-encoding": "gzip", vary: "accept-encoding" }), {
          gzip: true,
        }),
    }),
  }),
}
