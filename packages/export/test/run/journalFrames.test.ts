import type { FileHandle } from "node:fs/promises"
import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RecordedPage, RecordingOwner } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Frame, Header } from "../../src/run/journalFrames.ts"
import { FrameMaker, headerLine, namingLine, Reader } from "../../src/run/journalFrames.ts"

const owner: RecordingOwner = {
  origin: "https://service.example.test",
  keyFingerprint: "00112233445566ff",
  collection: "contracts",
  startedAt: "2026-03-01T09:30:00.000Z",
}

const pageOf = (body: string, more: Partial<RecordedPage> = {}): RecordedPage =>
  Fixtures.recordedPage(body, { requestId: "req_1", limit: 100, ...more })

const header: Header = {
  version: 2,
  identity: { headings: "labels" },
  startedAt: "2026-03-01T09:30:00.000Z",
}
const headerBytes = Buffer.from(`${JSON.stringify(header)}\n`)

let folder: string
let handle: FileHandle
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "deedkit-export-"))
  handle = await open(join(folder, "journal"), "w+")
})
afterEach(async () => {
  await handle.close()
  await rm(folder, { recursive: true })
})

const maker = new FrameMaker()

/** A frame of its own: the maker uses its memory again. */
const frameOf = (...of: Parameters<FrameMaker["make"]>): Uint8Array => Uint8Array.from(maker.make(...of))

const put = async (...parts: ReadonlyArray<Uint8Array>): Promise<Buffer> => {
  const whole = Buffer.concat(parts)
  await handle.truncate(0)
  await handle.write(whole, 0, whole.byteLength, 0)
  return whole
}

interface Read {
  readonly header: Header | null
  readonly frames: ReadonlyArray<Frame>
  readonly isNaming: boolean
}

const readAll = async (): Promise<Read> => {
  const reader = new Reader(handle)
  const first = await reader.header()
  const frames: Array<Frame> = []
  for (let frame = await reader.frame(); frame !== null; frame = await reader.frame()) frames.push(frame)
  return { header: first, frames, isNaming: reader.isNaming }
}

const three = [
  frameOf(0, owner, pageOf('{"ok":true,"items":[]}'), null),
  frameOf(0, owner, pageOf('{"unit":"Αθήνα \u{1F3E0}\\n"}', { requestId: null, limit: null }), '[{"id":1}]'),
  frameOf(1, { ...owner, collection: "api-keys" }, pageOf("three\nlines\n", { waitedMillis: 12.5 }), "[]"),
]

describe("frames", () => {
  it("come back as they were given, whatever the bodies hold", async () => {
    const bodies = ["", "\n", "\n\n{}\n", "Αθήνα \u{1F3E0}", "\0\u2028", "x".repeat(200_000)]
    const given = bodies.flatMap((body) => [null, "[]", `[${body.length}]`].map((text) => ({ body, text })))
    await put(headerBytes, ...given.map(({ body, text }) => frameOf(2, owner, pageOf(body), text)))
    const { frames } = await readAll()
    expect(frames.map(({ completed, page }) => ({ body: page.body, text: completed }))).toEqual(given)
    expect(frames.every(({ head }) => head.job === 2 && head.owner.origin === owner.origin)).toBe(true)
  })

  it("remember that a body was not well encoded, by which its records are judged again", async () => {
    await put(
      headerBytes,
      ...[{ wellEncoded: false } as const, {}].map((more) => frameOf(0, owner, pageOf("{}", more), null)),
    )
    const { frames } = await readAll()
    expect(frames.map(({ page }) => page.wellEncoded)).toEqual([false, undefined])
  })

  it("say where they end, so that the next one can be written there", async () => {
    await put(headerBytes, ...three)
    const { frames } = await readAll()
    const ends = three.map((_, at) => Buffer.concat([headerBytes, ...three.slice(0, at + 1)]).byteLength)
    expect(frames.map(({ end }) => end)).toEqual(ends)
  })

  it("are believed up to a tail that was torn off at any byte", async () => {
    const whole = await put(headerBytes, ...three)
    const before = whole.byteLength - three[2]!.byteLength
    for (let size = whole.byteLength - 1; size >= before; size -= 1) {
      await handle.truncate(size)
      expect((await readAll()).frames).toHaveLength(2)
    }
  })

  it.each([
    ["flipped as a whole", (byte: number) => byte ^ 0xff],
    ["with its lowest bit flipped", (byte: number) => byte ^ 1],
    ["replaced by a digit", (byte: number) => (byte === 0x39 ? 0x38 : 0x39)],
    ["replaced by an e, which makes numbers huge", (byte: number) => (byte === 0x65 ? 0x66 : 0x65)],
    ["replaced by a line break", (byte: number) => (byte === 10 ? 32 : 10)],
  ])("are not believed from a byte on that is %s", async (_, damage) => {
    const whole = await put(headerBytes, ...three)
    const { frames: sound } = await readAll()
    for (let at = headerBytes.byteLength; at < whole.byteLength; at += 1) {
      await handle.write(Buffer.of(damage(whole[at]!)), 0, 1, at)
      const intact = sound.filter(({ end }) => end <= at)
      expect((await readAll()).frames, `byte ${at}`).toEqual(intact)
      await handle.write(whole, at, 1, at)
    }
  })

  it("of a length that no memory holds end what is believed", async () => {
    const [line = "", ...rest] = Buffer.from(three[0]!).toString().split("\n")
    const huge = line.replace(/"bytes":\d+/, '"bytes":9007199254740990')
    await put(headerBytes, Buffer.from([huge, ...rest].join("\n")), three[1]!)
    expect((await readAll()).frames).toEqual([])
  })
})

describe("the last line", () => {
  it("says that files were about to get their names, behind all frames and only when it is whole", async () => {
    await put(headerBytes, ...three)
    expect((await readAll()).isNaming).toBe(false)
    const whole = await put(headerBytes, ...three, namingLine)
    expect(await readAll()).toMatchObject({ isNaming: true, frames: { length: 3 } })
    for (let size = whole.byteLength - 1; size > whole.byteLength - namingLine.byteLength; size -= 1) {
      await handle.truncate(size)
      expect(await readAll()).toMatchObject({ isNaming: false, frames: { length: 3 } })
    }
  })
})

describe("the first line", () => {
  it("is read in any script", async () => {
    const greek = { ...header, identity: { filters: "listing.city=Αθήνα" } }
    await put(headerLine(greek), three[0]!)
    expect(await readAll()).toMatchObject({ header: greek, frames: { length: 1 } })
  })

  it.each([
    ["nothing", ""],
    ["a torn line", JSON.stringify(header)],
    ["another form", `${JSON.stringify({ ...header, version: 3 })}\n`],
    ["no identity", `${JSON.stringify({ ...header, identity: null })}\n`],
    ["no start", `${JSON.stringify({ ...header, startedAt: 1 })}\n`],
    ["an array", "[1]\n"],
    ["a table", "Id,Status\n1,active\n"],
    ["bytes that are no text", "\u{FFFD}\0\n"],
  ])("that holds %s is no header", async (_, text) => {
    await put(Buffer.from(text))
    expect((await readAll()).header).toBeNull()
  })

  it("may be damaged anywhere without a harm worse than another run's, or none", async () => {
    const whole = await put(headerBytes, three[0]!)
    for (let at = 0; at < headerBytes.byteLength; at += 1) {
      for (const byte of [whole[at]! ^ 1, 0x39, 10, 0xff]) {
        await handle.write(Buffer.of(byte), 0, 1, at)
        const { header: damaged } = await readAll()
        if (damaged !== null) expect(damaged.version).toBe(2)
      }
      await handle.write(whole, at, 1, at)
    }
    expect((await readAll()).header).toEqual(header)
  })
})
