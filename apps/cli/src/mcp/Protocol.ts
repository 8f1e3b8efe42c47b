/**
 * Standard input and output of the protocol: one JSON message a line, and nothing else on standard output. A line that is not JSON is answered
 * with an error of its own, so that it does not affect other messages.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

const notJson = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"This line is not JSON"}}\n'

const isJson = (line: string): boolean => Result.isSuccess(Result.try(() => JSON.parse(line) as unknown))

/** Standard input by whole messages. */
export const framed = (stdio: Stdio.Stdio): Stdio.Stdio => {
  const refuse = Stream.make(notJson).pipe(Stream.run(stdio.stdout({ endOnDone: false })), Effect.ignore)
  const encoder = new TextEncoder()
  return {
    ...stdio,
    stdin: stdio.stdin.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.filter((line) => line.trim() !== ""),
      Stream.tap((line) => (isJson(line) ? Effect.void : refuse)),
      Stream.filter(isJson),
      Stream.map((line) => encoder.encode(`${line}\n`)),
    ),
  }
}
