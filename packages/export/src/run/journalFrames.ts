/**
 * The format of a journal: a line of JSON about the run, then one frame per page: a line of JSON with length and checksum, the body verbatim, and
 * the completed records.
 *
 * Reading ends at the first frame that is incomplete or damaged. This module does not know what the pages are used for: see `Journal`.
 */
import type { FileHandle } from "node:fs/promises"
import { crc32 } from "node:zlib"
import type { RecordedPage, RecordingOwner } from "@deedkit/core"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type { ExportError } from "../error/ExportError.ts"
import * as Appender from "../file/Appender.ts"
import { fileFailure } from "../file/fileFailure.ts"
import type { Caller } from "../proof/Account.ts"

/** Options that a run must share with the run that it resumes: texts to compare, by their names in error messages. */
export type Identity = { readonly [field: string]: string }

export interface Header {
  /** Version of the format. */
  readonly version: 1
  readonly identity: Identity
  readonly startedAt: string
  /** The account that the records belong to, as known when the run began. */
  readonly caller?: Caller
}

interface FrameHead extends Omit<RecordedPage, "body"> {
  readonly job: number
  readonly owner: RecordingOwner
  readonly bytes: number
  /** Checksum of the rest of this line, the body and the completed records. */
  readonly crc: number
  /** Length of the page's completed records as JSON, which follow the body. */
  readonly completedBytes: number
}

export interface Frame {
  readonly head: FrameHead
  readonly page: RecordedPage
  readonly completed: string | null
  readonly end: number
}

/** Version of the format. A newer one is refused. */
const version = 1

const newline = 10

const parseLine = (bytes: Buffer): { readonly [member: string]: unknown } | null => {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"))
    return Json.isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The last line of a run that had all its pages and began to name its files. */
export const namingLine = Buffer.from('{"naming":true}\n')

const isHeader = (value: { readonly [member: string]: unknown } | null): boolean =>
  value?.["version"] === version && Json.isObject(value["identity"]) && typeof value["startedAt"] === "string"

const isFrameHead = (value: { readonly [member: string]: unknown } | null): boolean =>
  ["job", "bytes", "crc", "completedBytes"].every((name) => Number.isSafeInteger(value?.[name])) &&
  Json.isObject(value?.["owner"])

/** Reads a journal from its start, frame by frame. */
export class Reader {
  readonly #handle: FileHandle
  #buffer = Buffer.alloc(0)
  #at = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Whether the journal ends with `namingLine`; known once all frames are read. */
  isNaming = false

  /** Whether a newer version of this program wrote the journal; known once its header is read. */
  isNewer = false

  async header(): Promise<Header | null> {
    const line = parseLine(await this.#line())
    this.isNewer = Json.isObject(line?.["identity"]) && Number(line["version"]) > version
    return isHeader(line) ? (line as unknown as Header) : null
  }

  /** The next frame; null at the end and from the first incomplete or damaged frame on. */
  async frame(): Promise<Frame | null> {
    const line = parseLine(await this.#line())
    if (line?.["naming"] === true) this.isNaming = true
    if (!isFrameHead(line)) return null
    const head = line as unknown as FrameHead
    const { crc, ...rest } = head
    const size = head.bytes + head.completedBytes
    const bytes = await this.#take(size + 1)
    if (bytes.byteLength !== size + 1 || bytes[size] !== newline) return null
    if (crc32(bytes.subarray(0, size), crc32(JSON.stringify(rest))) !== crc) return null
    const { wellEncoded, requestId, cursorParam, sent, limit, answeredAt, tookMillis } = head
    const { serviceDate, resumedAt, requests, retries, waitedMillis } = head
    const body = bytes.toString("utf8", 0, head.bytes)
    const completed = head.completedBytes === 0 ? null : bytes.toString("utf8", head.bytes, size)
    const page: RecordedPage = {
      body,
      ...(wellEncoded === undefined ? {} : { wellEncoded }),
      requestId,
      cursorParam,
      sent,
      limit,
      answeredAt,
      tookMillis,
      serviceDate,
      resumedAt,
      requests,
      retries,
      waitedMillis,
    }
    return { head, page, completed, end: this.#at }
  }

  get position(): number {
    return this.#at
  }

  async #fill(atLeast: number): Promise<void> {
    while (this.#buffer.byteLength < atLeast) {
      // A damaged length can be any number: allocate no more at once than a frame is likely to have.
      const size = Math.min(Math.max(65_536, atLeast - this.#buffer.byteLength), 16_777_216)
      const piece = Buffer.allocUnsafe(size)
      const position = this.#at + this.#buffer.byteLength
      const { bytesRead } = await this.#handle.read(piece, 0, piece.byteLength, position)
      if (bytesRead === 0) return
      this.#buffer = Buffer.concat([this.#buffer, piece.subarray(0, bytesRead)])
    }
  }

  async #take(size: number): Promise<Buffer> {
    await this.#fill(size)
    const taken = this.#buffer.subarray(0, size)
    this.#buffer = this.#buffer.subarray(taken.byteLength)
    this.#at += taken.byteLength
    return taken
  }

  async #line(): Promise<Buffer> {
    for (let looked = 0; ;) {
      const end = this.#buffer.indexOf(newline, looked)
      if (end >= 0) return this.#take(end + 1)
      looked = this.#buffer.byteLength
      await this.#fill(looked + 1)
      if (this.#buffer.byteLength === looked) return Buffer.alloc(0)
    }
  }
}

export const headerLine = (header: Header): Uint8Array => Buffer.from(`${JSON.stringify(header)}\n`)

/** Most bytes that the numbers computed from a body add to the line before it. */
const numbersRoom = `,"bytes":${2 ** 53},"completedBytes":${2 ** 53},"crc":${2 ** 32}\n`.length

/** Most bytes of a UTF-16 code unit in UTF-8. */
const widest = 3

/** Makes frames in one reused buffer: a frame is valid until the next one is made. */
export class FrameMaker {
  #memory = Buffer.alloc(0)

  make(
    job: number,
    owner: RecordingOwner,
    { body, ...rest }: RecordedPage,
    completed: string | null,
  ): Uint8Array {
    const known = { ...rest, job, owner }
    // The line before the body holds the length and checksum of the body. So the body is written first, once, without measuring it before.
    const start = Buffer.byteLength(JSON.stringify(known)) + numbersRoom
    const most = start + (body.length + (completed?.length ?? 0)) * widest + 1
    if (this.#memory.byteLength < most) this.#memory = Buffer.allocUnsafe(most + (most >> 1))
    const memory = this.#memory
    const bytes = memory.write(body, start)
    const completedBytes = memory.write(completed ?? "", start + bytes)
    const end = start + bytes + completedBytes + 1
    memory[end - 1] = newline
    const described: Omit<FrameHead, "crc"> = { ...known, bytes, completedBytes }
    const head: FrameHead = {
      ...described,
      crc: crc32(memory.subarray(start, end - 1), crc32(JSON.stringify(described))),
    }
    const line = `${JSON.stringify(head)}\n`
    const from = start - Buffer.byteLength(line)
    memory.write(line, from)
    return memory.subarray(from, end)
  }
}

/** How long frames can be only in the memory of this process, in milliseconds. */
const delayMillis = 50

/** How long frames can be only in the system's memory, in milliseconds. There they survive the end of the process, but not a power failure. */
const syncMillis = 5000

/**
 * Saves the frames that a run adds to its journal. They are written in batches: after a short delay, when a buffer is full, or when they are flushed;
 * until then `kill -9` loses them. They are synced from time to time, so that a power failure does not lose earlier frames.
 */
export interface SavedFrames {
  readonly add: (frame: Uint8Array) => Effect.Effect<void, ExportError>
  /** Writes the frames that were added. */
  readonly flush: Effect.Effect<void, ExportError>
  /** How many of the added frames are completely written. */
  readonly written: () => number
  /** Where the file ends when all added frames are written. */
  readonly end: () => number
}

/** Adds frames to a file from a position on. */
export const saveFrames = (handle: FileHandle, path: string, position: number): SavedFrames => {
  const appender = Appender.make({ handle, path, position, delayMillis })
  /** The ends of frames that are not known to be written yet. */
  const ends: Array<number> = []
  let end = position
  let count = 0
  let syncedAt = performance.now()
  const written = (): number => {
    for (; ends.length > 0 && ends[0]! <= appender.position(); count += 1) ends.shift()
    return count
  }
  const sync = Effect.andThen(
    appender.flush,
    Effect.tryPromise({ try: () => handle.datasync(), catch: fileFailure("write", path) }),
  )
  return {
    add: (frame) => {
      end += frame.byteLength
      ends.push(end)
      written()
      const added = appender.append(frame)
      if (performance.now() - syncedAt < syncMillis) return added
      syncedAt = performance.now()
      return Effect.andThen(added, sync)
    },
    flush: appender.flush,
    written,
    end: () => end,
  }
}
