/**
 * Standard input and output of the protocol: one JSON message per line, and nothing else on standard output. A line that is not a message gets an
 * error response of its own, so that it does not affect other messages.
 */
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

const errorLine = (code: number, message: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })}\n`

const notJson = errorLine(-32_700, "This line is not JSON")
const noMessage = errorLine(-32_600, "This line is no message of JSON-RPC 2.0")
const tooDeep = errorLine(-32_600, "This line is nested more deeply than any message of this server")

/** Maximum nesting of objects and arrays in a message: far more than any tool takes. */
const mostLevels = 64

const isDeep = (value: unknown, levels = mostLevels): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1)))

/** Whether a value is a request, a notification or a response. A batch is left to the protocol. */
const isMessage = (value: unknown): boolean => {
  if (Array.isArray(value)) return true
  if (!Json.isObject(value)) return false
  const { id, method } = value
  return (
    (typeof method === "string" || "result" in value || "error" in value) &&
    (id === undefined || typeof id === "string" || typeof id === "number")
  )
}

/** The error response to a line that is not a message; null for a message. */
const refusalOf = (line: string): string | null => {
  try {
    const value = JSON.parse(line) as unknown
    return isDeep(value) ? tooDeep : isMessage(value) ? null : noMessage
  } catch {
    return notJson
  }
}

/** Wraps standard input so that it contains only whole messages. */
export const framed = (stdio: Stdio.Stdio): Stdio.Stdio => {
  const answer = (text: string) =>
    Stream.make(text).pipe(Stream.run(stdio.stdout({ endOnDone: false })), Effect.ignore)
  const encoder = new TextEncoder()
  return {
    ...stdio,
    stdin: stdio.stdin.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.filter((line) => line.trim() !== ""),
      Stream.filterEffect((line) => {
        const refusal = refusalOf(line)
        return refusal === null ? Effect.succeed(true) : Effect.as(answer(refusal), false)
      }),
      Stream.map((line) => encoder.encode(`${line}\n`)),
    ),
  }
}
