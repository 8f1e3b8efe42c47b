/**
 * Standard output for data, standard error for messages. All output goes through here, so that the two never mix, all text from the service is
 * cleaned before it reaches the screen, and a live line never runs into another line.
 */
import { fstatSync } from "node:fs"
import { Writable } from "node:stream"
import { ExportError } from "@deedkit/export"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Environment } from "./Environment.ts"
import type { Variables } from "./Environment.ts"
import type { DressedLine, Style, StyleName } from "./TerminalText.ts"
import { ansi, clean, cleanJson, cleanLines, none, truncate, wrap } from "./TerminalText.ts"

export interface Service {
  /** Writes lines of data, cleaned: each text is one line. Fails with `SinkClosed` if the reader has closed the pipe. */
  readonly lines: (texts: ReadonlyArray<string>) => Effect.Effect<void, ExportError.ExportError>
  /** The same for lines that are already cleaned and styled. */
  readonly dressed: (lines: ReadonlyArray<DressedLine>) => Effect.Effect<void, ExportError.ExportError>
  /** Writes one JSON document, safe to show and exact to read. */
  readonly json: (text: string) => Effect.Effect<void, ExportError.ExportError>
  /** Receives the bytes of files. On a terminal they are made safe to show; everywhere else they are passed through unchanged. */
  readonly bytes: Writable
  /** Width of the window that data is shown in, in columns; null if data goes elsewhere. */
  readonly width: number | null
  /** Whether data goes to a file, as with `> list.csv`, which does not take the messages too. */
  readonly isFile: boolean
  readonly style: Style
  /** Prints a message on standard error, cleaned, and keeps it for the log. */
  readonly say: (text: string, name?: StyleName) => void
  /** Keeps a message that is not shown for the log. */
  readonly remember: (text: string) => void
  /** Whether messages go to a file or pipe, where they are read later: local times then have their date and zone. */
  readonly isLogged: boolean
  /** Whether standard error can show a line that changes. */
  readonly canAnimate: boolean
  /** Shows a line that the next one replaces; null removes it. */
  readonly live: (text: string | null) => void
  /** The same terminal with or without colours, whatever the variables say. */
  readonly withColors: (color: Variables["color"]) => Service
  /** The same terminal, which gives every message to a log. */
  readonly loggedBy: (log: (text: string) => void) => Service
}

export class Terminal extends Context.Service<Terminal, Service>()("deedkit/Terminal") {}

export interface Streams {
  /** A terminal, a pipe or a file; a stream of a test has no number. */
  readonly out: NodeJS.WriteStream & { readonly fd?: number }
  readonly err: NodeJS.WriteStream & { readonly fd?: number }
}

/** The width of a terminal. One without a size, such as that of a container, says 0. */
const columnsOf = ({ columns }: NodeJS.WriteStream): number => (columns > 0 ? columns : 80)

const lineStart = "\r\u001B[2K"

/** Writes to a stream, and waits until it is taken. */
export const write = (
  stream: Writable,
  text: string | Uint8Array,
): Effect.Effect<void, ExportError.ExportError> =>
  Effect.callback((resume) => {
    stream.write(text, (cause) => {
      if (!cause) return resume(Effect.void)
      const code = (cause as NodeJS.ErrnoException).code ?? null
      resume(
        new ExportError.ExportError({
          reason:
            code === "EPIPE" || code === "ERR_STREAM_DESTROYED"
              ? { _tag: "SinkClosed", target: "-" }
              : { _tag: "FileFailed", path: "-", step: "write", code },
        }),
      )
    })
  })

const cleaning = (out: Writable, before: () => void): Writable =>
  new Writable({
    write: (chunk: Uint8Array, _, done) => {
      before()
      out.write(cleanLines(Buffer.from(chunk).toString("utf8")), done)
    },
  })

export const make = (
  { err, out }: Streams,
  variables: Environment["Service"],
  remember: (text: string) => void = () => {},
): Service => {
  // Without a listener, a reader that closes the pipe would end the process with a stack trace.
  for (const stream of [out, err]) stream.on("error", () => {})
  const canMove = (stream: NodeJS.WriteStream): boolean => stream.isTTY && !variables.dumbTerminal
  const styleOf = (stream: NodeJS.WriteStream): Style =>
    variables.color === "always" || (variables.color === "auto" && canMove(stream)) ? ansi : none
  const canAnimate = canMove(err)
  const wordStyle = styleOf(err)
  let shown: string | null = null

  const live = (text: string | null): void => {
    if (!canAnimate) return
    // A terminal writes ^C after the line, which must not wrap.
    const room = Math.max(10, columnsOf(err) - 3)
    const next = text === null ? null : wordStyle("dim", truncate(clean(text), room))
    if (next === shown) return
    err.write(lineStart + (next ?? ""))
    shown = next
  }
  const data = (text: string): Effect.Effect<void, ExportError.ExportError> =>
    Effect.suspend(() => {
      live(null)
      return write(out, text)
    })

  const dataLines = (lines: ReadonlyArray<string>) =>
    lines.length === 0 ? Effect.void : data(`${lines.join("\n")}\n`)

  return {
    lines: (texts) => dataLines(texts.map(clean)),
    dressed: dataLines,
    json: (text) => data(`${cleanJson(text)}\n`),
    bytes: out.isTTY ? cleaning(out, () => live(null)) : out,
    get width() {
      return out.isTTY ? Math.max(20, columnsOf(out)) : null
    },
    get isFile() {
      if (typeof out.fd !== "number") return false
      const file = fstatSync(out.fd)
      const messages = typeof err.fd === "number" ? fstatSync(err.fd) : null
      return file.isFile() && !(messages?.ino === file.ino && messages.dev === file.dev)
    },
    style: styleOf(out),
    remember,
    say: (text, name) => {
      remember(text)
      const columns = err.isTTY ? columnsOf(err) : null
      const lines = text
        .split("\n")
        .flatMap((line) => (columns === null ? clean(line) : wrap(clean(line), columns)))
        .join("\n")
      const again = shown === null ? "" : shown
      err.write(
        `${shown === null ? "" : lineStart}${name === undefined ? lines : wordStyle(name, lines)}\n${again}`,
      )
    },
    isLogged: !err.isTTY,
    canAnimate,
    live,
    withColors: (color) => make({ err, out }, { ...variables, color }, remember),
    loggedBy: (log) => make({ err, out }, variables, log),
  }
}

export const layer: Layer.Layer<Terminal, never, Environment> = Layer.effect(
  Terminal,
  Effect.map(Environment, (variables) => make({ out: process.stdout, err: process.stderr }, variables)),
)
