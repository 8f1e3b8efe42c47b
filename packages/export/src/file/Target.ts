/**
 * Checks a target before the first request: what exists there, and whether it can be written. A run over the network is long, so everything
 * that can be refused is refused here, and nothing is created or changed. Then opens its sink: a file gets its name only when it is whole; standard
 * output, named pipes and devices have no final name to wait for, so that bytes are passed on directly.
 */
import { constants, openSync, writeFile as writeAt } from "node:fs"
import type { Stats } from "node:fs"
import { access, open, stat } from "node:fs/promises"
import { Socket } from "node:net"
import { basename, dirname, resolve } from "node:path"
import type { Writable } from "node:stream"
import { promisify } from "node:util"
import * as OwnFile from "@deedkit/core/own-file"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Reason } from "../error/ExportError.ts"
import { ExportError } from "../error/ExportError.ts"
import { fileFailure } from "./fileFailure.ts"
import * as AtomicFile from "./AtomicFile.ts"
import type { Sink } from "./AtomicFile.ts"

export type Target =
  | { readonly _tag: "Stdout" }
  | { readonly _tag: "NamedPipe"; readonly path: string }
  | { readonly _tag: "Device"; readonly path: string }
  /** A file that the caller of the process has opened for it. */
  | { readonly _tag: "Descriptor"; readonly path: string; readonly descriptor: number }
  /** A regular file, now or after the run. `mode` are the permission bits of an existing file, null when there is none that is worth keeping. */
  | { readonly _tag: "File"; readonly path: string; readonly mode: number | null }

const stdoutNames: ReadonlySet<string> = new Set(["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])

/** The descriptor that a path names, such as `/dev/fd/3`; null for every other path. */
const descriptorOf = (path: string): number | null => {
  if (path === "/dev/stderr") return 2
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path) ?? []
  return number === undefined ? null : Number(number)
}

const refuse = (reason: Reason): never => {
  throw new ExportError({ reason })
}

const isMissing = (cause: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes(String((cause as NodeJS.ErrnoException).code))

const absent = (cause: unknown): null => {
  if (isMissing(cause)) return null
  throw cause
}

/** Whether Windows takes a name for one of its devices, which swallow what is written. An ending changes nothing, but without one it is meant. */
export const isDeviceOfWindows = (name: string): boolean => /^(?:aux|con|nul|prn|com\d|lpt\d) *\./i.test(name)

const inspect = async (target: string, overwrite: boolean): Promise<Target> => {
  if (stdoutNames.has(target)) return { _tag: "Stdout" }
  const given = resolve(target)
  if (process.platform === "win32" && isDeviceOfWindows(basename(given)))
    return refuse({ _tag: "TargetNotWritable", path: given, code: "a device of Windows" })
  const at: Stats | null = await stat(given).catch(absent)
  if (at !== null && at.isDirectory()) return refuse({ _tag: "TargetIsFolder", path: given })
  const descriptor = at === null ? null : descriptorOf(given)
  if (at !== null && !at.isFile()) {
    // The pipe of a descriptor has no path. Every other one can be somebody else's.
    if (descriptor === null) await OwnFile.check(await OwnFile.pathOf(given), { kinds: "all" })
    return { _tag: at.isFIFO() ? "NamedPipe" : "Device", path: given }
  }
  if (descriptor !== null) return { _tag: "Descriptor", path: given, descriptor }
  if (at === null && /[/\\]$/.test(target)) return refuse({ _tag: "TargetFolderMissing", folder: given })
  const path = await OwnFile.pathOf(given)
  const folder = await stat(dirname(path)).catch(absent)
  if (folder?.isDirectory() !== true) return refuse({ _tag: "TargetFolderMissing", folder: dirname(path) })
  if (at !== null && !overwrite) return refuse({ _tag: "TargetExists", path: given })
  await access(dirname(path), constants.W_OK)
  if (at !== null) await access(path, constants.W_OK)
  if (at !== null && (await OwnFile.isMounted(path))) return refuse({ _tag: "TargetMounted", path: given })
  if (at === null) return { _tag: "File", path, mode: null }
  // Somebody else's file can let everybody read it.
  const isOwn = await OwnFile.check(path).then(
    () => true,
    () => false,
  )
  return { _tag: "File", path, mode: isOwn ? at.mode & 0o7777 : null }
}

/**
 * Checks a target: `-` is standard output, everything else a path. Fails with `TargetExists` (unless `overwrite`),
 * `TargetFolderMissing`, `TargetIsFolder`, `TargetNotWritable`, `TargetMounted`, `NotOwn` or `FileFailed`.
 */
export const look = (target: string, overwrite: boolean): Effect.Effect<Target, ExportError> =>
  Effect.tryPromise({
    try: () => inspect(target, overwrite),
    catch: fileFailure("inspect", resolve(target)),
  })

/** Passes bytes on to what has no final name to wait for. */
const direct = (path: string, put: (chunk: Uint8Array) => Promise<void>): Sink => ({
  write: (chunk) => Effect.tryPromise({ try: () => put(chunk), catch: fileFailure("write", path) }),
  finish: Effect.void,
  commit: Effect.void,
})

/** Wraps a stream as a sink that fails as soon as the stream fails, and on every later write. */
const listening = (stream: Writable, name: string) => {
  let failure: ExportError | null = null
  let interrupt: (error: ExportError) => void = () => {}
  const fail = (error: ExportError): void => {
    failure ??= error
    interrupt(failure)
  }
  const onError = (cause: Error): void => fail(fileFailure("write", name)(cause))
  const onClose = (): void => fail(new ExportError({ reason: { _tag: "SinkClosed", target: name } }))
  stream.on("error", onError).on("close", onClose)

  const write = (chunk: Uint8Array): Effect.Effect<void, ExportError> =>
    Effect.callback((resume) => {
      interrupt = (error) => resume(Effect.fail(error))
      if (stream.destroyed) onClose()
      if (failure !== null) return interrupt(failure)
      // A stream can pass a chunk on and keep it even after it has reported that the write is done.
      stream.write(new Uint8Array(chunk), (cause) => (cause ? onError(cause) : resume(Effect.void)))
    })
  const release = (): void => {
    stream.off("close", onClose)
    // A broken stream emits its error again later: a listener must remain.
    if (failure === null) stream.off("error", onError)
  }
  return { release, sink: { write, finish: Effect.void, commit: Effect.void } satisfies Sink }
}

/** A stream of the process, usually standard output. It is not ended, because it belongs to the process. `name` is used in errors. */
const streamSink = (stream: Writable, name = "-"): Effect.Effect<Sink, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => listening(stream, name)),
    ({ release }) => Effect.sync(release),
  ).pipe(Effect.map(({ sink }) => sink))

/** A device, such as `/dev/null`. */
const deviceSink = (path: string): Effect.Effect<Sink, ExportError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.tryPromise({ try: () => open(path, constants.O_WRONLY), catch: fileFailure("create", path) }),
      (handle) => Effect.promise(() => handle.close().catch(() => {})),
    ),
    (handle) => direct(path, (chunk) => handle.writeFile(chunk)),
  )

const writeAll = promisify<number, Uint8Array>(writeAt)

/** A file that is already open, at the position of its descriptor. It is not closed, because it belongs to the caller of the process. */
const descriptorSink = (descriptor: number, path: string): Sink =>
  direct(path, (chunk) => writeAll(descriptor, chunk))

/**
 * A named pipe. Waits for a reader, as a shell does, but can be interrupted: neither opening nor writing occupies a thread.
 */
const pipeSink = (path: string): Effect.Effect<Sink, ExportError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () =>
        new Socket({
          fd: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK),
          readable: false,
          writable: true,
        }),
      catch: fileFailure("create", path),
    }),
    (socket) => Effect.sync(() => socket.destroy()),
  ).pipe(
    Effect.retry({ schedule: Schedule.spaced("100 millis"), while: hasNoReader }),
    Effect.flatMap((socket) => streamSink(socket, path)),
  )

const hasNoReader = ({ reason }: ExportError): boolean =>
  reason._tag === "FileFailed" && reason.code === "ENXIO"

/** Opens the sink of a target: a file gets its name only when it is whole. `stdout` is the stream that `-` names. */
export const openSink = (
  target: Target,
  { overwrite, stdout }: { readonly overwrite: boolean; readonly stdout: Writable },
): Effect.Effect<Sink, ExportError, Scope.Scope> => {
  switch (target._tag) {
    case "Stdout":
      return streamSink(stdout)
    case "NamedPipe":
      return pipeSink(target.path)
    case "Device":
      return deviceSink(target.path)
    case "Descriptor":
      return Effect.succeed(descriptorSink(target.descriptor, target.path))
    case "File":
      return AtomicFile.make({ path: target.path, overwrite, mode: target.mode })
  }
}

export interface WriteFileOptions<E, R> {
  /** A path, or `-` for standard output. */
  readonly target: string
  /** Default false. */
  readonly overwrite?: boolean | undefined
  /** The stream that `-` names. Default: the process's standard output. */
  readonly stdout?: Writable | undefined
  /** Writes the bytes in their order. Not called if the target is refused. */
  readonly content: (write: Sink["write"]) => Effect.Effect<void, E, R>
}

/** Writes a document of any kind to one target. A file is written whole or not at all. Fails with the problem of the target or the disk. If `content` fails, no file is left. */
export const writeFile = <E, R>({
  content,
  overwrite = false,
  stdout = process.stdout,
  target,
}: WriteFileOptions<E, R>): Effect.Effect<void, E | ExportError, Exclude<R, Scope.Scope>> =>
  Effect.gen(function* () {
    const sink = yield* openSink(yield* look(target, overwrite), { overwrite, stdout })
    yield* content(sink.write)
    yield* sink.finish
    yield* sink.commit
  }).pipe(Effect.scoped)
