import { createHash } from "node:crypto"
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ExportError } from "../../src/error/ExportError.ts"
import { run } from "../../src/run/ExportRun.ts"
import { ndjson } from "../../src/formats/Ndjson.ts"
import { namingLine } from "../../src/run/journalFrames.ts"
import type { Manifest } from "../../src/proof/Manifest.ts"
import type { RunOptions } from "../../src/run/RunOptions.ts"
import { book } from "../fixtures/book.ts"
import { faulty } from "../fixtures/faulty.ts"
import { pair } from "../fixtures/keys.ts"
import type { offline } from "../fixtures/resumable.ts"
import { jobOf } from "../fixtures/resumable.ts"
import { folder, rejected } from "../fixtures/list.ts"

const list = (path: string) => Effect.promise(() => readdir(path))
const read = (path: string) => Effect.promise(() => readFile(path))
const write = (path: string, content: string) => Effect.promise(() => writeFile(path, content))
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const manifestOf = (path: string) =>
  Effect.map(read(`${path}.manifest.json`), (bytes) => JSON.parse(bytes.toString("utf8")) as Manifest)

interface Choice extends Omit<Partial<RunOptions<typeof offline, never>>, "jobs"> {
  readonly failsAt?: number
}

const exporting = (target: string, { failsAt, ...options }: Choice = {}) =>
  run({
    jobs: [jobOf([[2], [1]], { failsAt })],
    outputs: [{ writer: ndjson, target }],
    overwrite: true,
    ...options,
  })

describe("the manifest before", () => {
  it.effect("is in the next one by its hash, so that manifests are a chain", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.ndjson")
      const chain: Array<Buffer> = []
      for (let run = 0; run < 4; run++) {
        const { manifest } = yield* exporting(target)
        const before = chain.at(-1)
        expect(manifest.previous).toEqual(before === undefined ? null : { sha256: sha256(before) })
        expect(yield* manifestOf(target)).toEqual(manifest)
        chain.push(yield* read(`${target}.manifest.json`))
      }
      expect(new Set(chain.map(sha256)).size).toBe(4)
    }),
  )

  it.effect("is that of each file where a run has several", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const [a, b] = [join(at, "a.ndjson"), join(at, "b.ndjson")]
      yield* exporting(b)
      const older = yield* read(`${b}.manifest.json`)
      const outputs = [a, b].map((target) => ({ writer: ndjson, target }))
      const { manifest } = yield* exporting("", { outputs })
      expect([manifest.previous, (yield* manifestOf(a)).previous]).toEqual([null, null])
      expect((yield* manifestOf(b)).previous).toEqual({ sha256: sha256(older) })
    }),
  )

  it.effect("is that of the file behind a symbolic link", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const real = join(at, "real.ndjson")
      yield* exporting(real)
      const older = yield* read(`${real}.manifest.json`)
      yield* Effect.promise(() => symlink(real, join(at, "link")))
      yield* exporting(join(at, "link"))
      expect((yield* manifestOf(real)).previous).toEqual({ sha256: sha256(older) })
    }),
  )

  for (const [what, content] of [
    ["another text", "{}"],
    ["nothing", ""],
    ["no JSON", "["],
  ] as const) {
    it.effect(`is none where ${what} has its name`, () =>
      Effect.gen(function* () {
        const target = join(yield* folder, "a.ndjson")
        yield* write(`${target}.manifest.json`, content)
        expect((yield* exporting(target)).manifest.previous).toBeNull()
      }),
    )
  }

  it.effect("stays the same for a run that was killed while it named its files, and resumed", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const target = join(at, "a.ndjson")
      yield* exporting(target)
      const older = sha256(yield* read(`${target}.manifest.json`))
      const failed = new ExportError({ reason: { _tag: "TooManyRows", format: "book", maxRows: 1 } })
      const outputs = [
        { writer: ndjson, target },
        { writer: faulty("ends the file", Effect.fail(failed)), target: join(at, "b.book") },
      ]
      yield* Effect.flip(exporting("", { outputs }))
      // As if the run had come so far: its own manifest in place of the older one, and then nothing.
      const own = JSON.parse((yield* read(`${target}.interrupted.json`)).toString()) as Manifest
      expect(own.previous).toEqual({ sha256: older })
      yield* write(`${target}.manifest.json`, JSON.stringify(own))
      yield* Effect.promise(() => appendFile(`${target}.resume`, namingLine))
      const again = [outputs[0]!, { writer: book, target: join(at, "b.book") }]
      const { manifest } = yield* exporting("", { outputs: again, resume: true })
      expect(manifest.previous).toEqual({ sha256: older })
    }),
  )
})

describe("a signed run", () => {
  it.effect("has a signature of the very bytes of each manifest beside it", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const { signer, verifier } = pair()
      const outputs = ["a.ndjson", "b.ndjson"].map((name) => ({ writer: ndjson, target: join(at, name) }))
      const result = yield* exporting("", { outputs, signer })
      expect(result.isSigned).toBe(true)
      for (const { target } of outputs) {
        const signature = yield* read(`${target}.manifest.json.sig`)
        expect(verifier.verify(yield* read(`${target}.manifest.json`), signature)).toBe(true)
      }
      expect(yield* list(at)).toHaveLength(6)
    }),
  )

  it.effect("is followed by one that is not, beside which no signature of the older one stays", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const target = join(at, "a.ndjson")
      for (const options of [{}, { keepsRecords: false }]) {
        yield* exporting(target, { signer: pair().signer })
        expect(yield* list(at)).toContain("a.ndjson.manifest.json.sig")
        expect((yield* exporting(target, options)).isSigned).toBe(false)
        expect(yield* list(at)).not.toContain("a.ndjson.manifest.json.sig")
      }
    }),
  )

  it.effect("has no signature while it is not finished, and one when it was resumed", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const target = join(at, "a.ndjson")
      const { signer, verifier } = pair()
      yield* Effect.flip(exporting(target, { signer, failsAt: 2 }))
      expect((yield* list(at)).toSorted()).toEqual(["a.ndjson.interrupted.json", "a.ndjson.resume"])
      yield* exporting(target, { signer, resume: true })
      const signature = yield* read(`${target}.manifest.json.sig`)
      expect(verifier.verify(yield* read(`${target}.manifest.json`), signature)).toBe(true)
    }),
  )

  it.effect("to standard output has none, and says so", () =>
    Effect.gen(function* () {
      const stdout = new PassThrough()
      stdout.resume()
      const { isSigned, manifest } = yield* exporting("-", { signer: pair().signer, stdout })
      expect([isSigned, manifest.previous]).toEqual([false, null])
    }),
  )

  it.effect("says when the signature cannot be written", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.ndjson")
      yield* Effect.promise(() =>
        mkdir(join(`${target}.manifest.json.sig`, "in the way"), { recursive: true }),
      )
      const error = yield* Effect.flip(exporting(target, { signer: pair().signer }))
      expect(error).toMatchObject({ reason: { _tag: "FileFailed", path: `${target}.manifest.json.sig` } })
      yield* Effect.promise(() => rm(`${target}.manifest.json.sig`, { recursive: true }))
    }),
  )
})

it.effect("the file of rejected records is in the manifest by length and hash", () =>
  Effect.gen(function* () {
    const target = join(yield* folder, "a.ndjson")
    const jobs = [jobOf([[2], [1]], { more: { rejected: [rejected(9)] } })]
    const { manifest } = yield* run({
      jobs,
      outputs: [{ writer: ndjson, target }],
      rejectionLimits: { share: 1 },
    })
    const kept = yield* read(`${target}.rejected.ndjson`)
    expect(manifest.rejected).toMatchObject({
      name: "a.ndjson.rejected.ndjson",
      records: 2,
      bytes: kept.byteLength,
      sha256: sha256(kept),
    })
  }),
)
