import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { appendFile, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "../../src/run.ts"
import { ndjson } from "../../src/formats/Json.ts"
import type { RunOptions } from "../../src/run.ts"
import type { VerifyOptions } from "../../src/proof/manifestFile.ts"
import { verify } from "../../src/proof/manifestFile.ts"
import { bookOf } from "../fixtures/book.ts"
import { hasNamedPipes } from "../fixtures/otherPrograms.ts"
import type { offline } from "../fixtures/resumable.ts"
import { jobOf } from "../fixtures/resumable.ts"
import { folder, rejected } from "../fixtures/list.ts"

type Options = Omit<Partial<RunOptions<typeof offline, never>>, "jobs">

const exporting = (target: string, options: Options = {}, failsAt?: number) =>
  run({ jobs: [jobOf([[2], [1]], { failsAt })], outputs: [{ writer: ndjson, target }], ...options })

const content = '{"id":2}\n{"id":1}\n'
const read = (path: string) => Effect.promise(() => readFile(path, "utf8"))
const write = (path: string, text: string | Uint8Array) => Effect.promise(() => writeFile(path, text))
const promise = (work: () => Promise<unknown>) => Effect.promise(work)
const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex")

/** Changes what a manifest says. */
const edit = (path: string, change: (manifest: Record<string, unknown>) => object) =>
  Effect.flatMap(read(path), (text) =>
    write(path, JSON.stringify(change(JSON.parse(text) as Record<string, unknown>))),
  )

const statesOf = (path: string, options?: VerifyOptions) =>
  Effect.map(verify(path, options), ({ files, isIntact }) => [...files.map(({ state }) => state), isIntact])

const reasonOf = (path: string, options?: VerifyOptions) =>
  Effect.map(Effect.flip(verify(path, options)), ({ reason }) => reason)

/** A file with its manifest. */
const exported = (options: Options = {}, name = "a.ndjson") =>
  Effect.gen(function* () {
    const at = yield* folder
    const target = join(at, name)
    yield* exporting(target, options)
    return { at, target, manifest: `${target}.manifest.json` }
  })

describe("a file of an export", () => {
  it.effect("matches its manifest", () =>
    Effect.gen(function* () {
      const { manifest, target } = yield* exported()
      const found = yield* verify(target)
      expect(found).toMatchObject({
        path: target,
        manifestPath: manifest,
        files: [{ path: target, state: "matches", bytes: 18, expectedBytes: 18 }],
        isIntact: true,
      })
    }),
  )

  it.effect("differs whichever byte of it was changed, and when it was cut or lengthened", () =>
    Effect.gen(function* () {
      const { target } = yield* exported()
      for (let at = 0; at < content.length; at++) {
        const bytes = Buffer.from(content)
        bytes[at]! ^= 1
        yield* write(target, bytes)
        expect(yield* statesOf(target)).toEqual(["differs", false])
      }
      yield* write(target, content)
      expect(yield* statesOf(target)).toEqual(["matches", true])
      yield* promise(() => appendFile(target, "\n"))
      expect((yield* verify(target)).files).toEqual([
        { path: target, state: "differs", bytes: 19, expectedBytes: 18 },
      ])
      yield* promise(() => truncate(target, 0))
      expect(yield* statesOf(target)).toEqual(["differs", false])
      yield* promise(() => rm(target))
      expect(yield* statesOf(target)).toEqual(["missing", false])
    }),
  )

  it.effect("is found by any name: blanks, other scripts, an apostrophe, a backslash", () =>
    Effect.gen(function* () {
      for (const name of [
        "a b.ndjson",
        "Αθήνα 🏠.ndjson",
        "it's.ndjson",
        "back\\slash.ndjson",
        "-.ndjson",
        "a\nb",
      ]) {
        const { manifest, target } = yield* exported({}, name)
        expect(yield* statesOf(target)).toEqual(["matches", true])
        expect(yield* statesOf(manifest)).toEqual(["matches", true])
      }
    }),
  )

  it.effect("is found behind a symbolic link, with the manifest beside either", () =>
    Effect.gen(function* () {
      const { at, manifest, target } = yield* exported()
      yield* promise(() => mkdir(join(at, "links")))
      const link = join(at, "links", "latest")
      yield* promise(() => symlink(target, link))
      expect(yield* statesOf(link)).toEqual(["matches", true])
      yield* promise(() => symlink(manifest, `${link}.manifest.json`))
      expect(yield* statesOf(link)).toEqual(["matches", true])
      yield* write(target, "changed")
      expect(yield* statesOf(link)).toEqual(["differs", false])
      yield* promise(() => rm(target))
      expect(yield* statesOf(link)).toEqual(["missing", false])
    }),
  )

  it.effect("that is none is refused, and never waited for", () =>
    Effect.gen(function* () {
      const { manifest, target } = yield* exported()
      yield* promise(() => rm(target))
      yield* promise(() => mkdir(target))
      expect(yield* reasonOf(target)).toMatchObject({ _tag: "Unreadable", path: target })
      if (!hasNamedPipes) return
      for (const path of [target, manifest]) {
        yield* promise(() => rm(path, { recursive: true }))
        execFileSync("mkfifo", [path])
        expect(yield* reasonOf(target)).toMatchObject({ _tag: "Unreadable", path })
      }
    }),
  )
})

describe("a renamed file", () => {
  it.effect("is known by its bytes, with a manifest that is named", () =>
    Effect.gen(function* () {
      const { at, manifest, target } = yield* exported()
      const renamed = join(at, "march.ndjson")
      yield* promise(() => rename(target, renamed))
      expect(yield* reasonOf(renamed)).toEqual({ _tag: "FileMissing", path: `${renamed}.manifest.json` })
      expect(yield* statesOf(renamed, { manifest })).toEqual(["matches", true])
      yield* promise(() => appendFile(renamed, " "))
      expect(yield* statesOf(renamed, { manifest })).toEqual(["differs", false])
    }),
  )

  it.effect("is known by its bytes when its manifest was renamed with it", () =>
    Effect.gen(function* () {
      const { at, manifest, target } = yield* exported()
      const renamed = join(at, "march.ndjson")
      yield* promise(() => rename(target, renamed))
      yield* promise(() => rename(manifest, `${renamed}.manifest.json`))
      expect(yield* statesOf(renamed)).toEqual(["matches", true])
    }),
  )

  it.effect("is known among several, and refused when it is none of them", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const outputs = [
        { writer: ndjson, target: join(at, "a.ndjson") },
        { writer: bookOf(), target: join(at, "a.book") },
      ]
      yield* exporting("", { outputs })
      const manifest = join(at, "a.book.manifest.json")
      const renamed = join(at, "other")
      yield* promise(() => rename(join(at, "a.book"), renamed))
      expect(yield* statesOf(renamed, { manifest })).toEqual(["matches", true])
      yield* promise(() => appendFile(renamed, " "))
      expect(yield* reasonOf(renamed, { manifest })).toMatchObject({ _tag: "Unreadable", path: manifest })
      expect(yield* reasonOf(join(at, "none"), { manifest })).toEqual({
        _tag: "FileMissing",
        path: join(at, "none"),
      })
    }),
  )
})

describe("a manifest", () => {
  it.effect("stands for all of its files that are beside it", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const outputs = [
        { writer: ndjson, target: join(at, "a.ndjson") },
        { writer: bookOf(), target: join(at, "a.book") },
      ]
      yield* exporting("", { outputs })
      const manifest = join(at, "a.ndjson.manifest.json")
      expect(yield* statesOf(manifest)).toEqual(["matches", "matches", true])
      yield* promise(() => rm(join(at, "a.book")))
      expect(yield* statesOf(manifest)).toEqual(["matches", "missing", false])
      expect(yield* statesOf(join(at, "a.ndjson"))).toEqual(["matches", true])
    }),
  )

  it.effect("leads nowhere but to files beside it", () =>
    Effect.gen(function* () {
      const { manifest, target } = yield* exported()
      const file = { bytes: 18, sha256: sha256(content) }
      const names = ["-", "../a.ndjson", "/etc/passwd", ".", "..", "", "a/../a.ndjson", "a\0b"]
      yield* edit(manifest, (original) => ({
        ...original,
        files: [{ name: "a.ndjson", ...file }, ...names.map((name) => ({ name, ...file }))],
      }))
      const found = yield* verify(manifest)
      expect(found.files.map(({ path, state }) => [path, state])).toEqual([
        [target, "matches"],
        ...names.map((name) => [name, "elsewhere"]),
      ])
      expect(found.isIntact).toBe(true)
      const files = names.map((name) => Object.assign({ name }, file))
      yield* edit(manifest, (original) => ({ ...original, files }))
      expect(yield* reasonOf(manifest)).toMatchObject({ _tag: "Unreadable" })
    }),
  )

  it.effect("may hold anything besides", () =>
    Effect.gen(function* () {
      const { manifest, target } = yield* exported()
      const odd = [null, 5, "text", [], {}, [null], { name: 1 }, { name: "../x", bytes: 1, sha256: "" }]
      for (const value of odd) {
        const members = [
          "account",
          "endedAt",
          "isResumed",
          "longTexts",
          "newValues",
          "rejected",
          "textsChanged",
        ]
        yield* edit(manifest, (original) => ({
          ...original,
          ...Object.fromEntries(members.map((member) => [member, value])),
        }))
        expect(yield* statesOf(target)).toEqual(["matches", true])
      }
    }),
  )

  it.effect("of hundreds of files is read, and one that no run writes is refused", () =>
    Effect.gen(function* () {
      const { manifest, target } = yield* exported()
      const whole = yield* read(manifest)
      const file = { name: "a.ndjson", bytes: 18, sha256: sha256(content) }
      yield* edit(manifest, (original) => ({
        ...original,
        files: Array.from({ length: 20_000 }, () => file),
      }))
      expect(yield* statesOf(manifest)).toEqual(["matches", true])
      for (const text of [
        `${whole}${" ".repeat(17_000_000)}`,
        `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
        "",
        "{",
        `\u{FEFF}${whole}`,
      ]) {
        yield* write(manifest, text)
        expect(yield* reasonOf(target)).toEqual({
          _tag: "Unreadable",
          path: manifest,
          expected: "a manifest of an export",
        })
      }
    }),
  )
})

describe("the files beside an export", () => {
  const withBoth = Effect.gen(function* () {
    const at = yield* folder
    const target = join(at, "a.book")
    const get = () => "a text that is too long"
    const column = { name: "id", label: "Id", kind: "text", get } as const
    const table = { name: "rows", title: "Rows", columns: [column], onDemand: [] }
    const jobs = [jobOf([[2], [1]], { table, more: { rejected: [rejected(9)] } })]
    const outputs = [{ writer: bookOf({ maxTextLength: 9 }), target }]
    yield* run({ jobs, outputs, rejectionLimits: { share: 1 } })
    return target
  })

  it.effect("are checked with it", () =>
    Effect.gen(function* () {
      const target = yield* withBoth
      expect(yield* statesOf(target)).toEqual(["matches", "matches", "matches", true])
      for (const [at, name] of [
        [1, `${target}.rejected.ndjson`],
        [2, `${target}.texts.ndjson`],
      ] as const) {
        const kept = yield* read(name)
        yield* write(name, kept.replace("9", "8"))
        expect((yield* statesOf(target))[at]).toBe(kept.includes("9") ? "differs" : "matches")
        yield* write(name, `${kept} `)
        expect((yield* statesOf(target)).toSpliced(at, 1, "differs")).toEqual(yield* statesOf(target))
        yield* promise(() => rm(name))
        expect((yield* statesOf(target)).at(-1)).toBe(false)
        expect((yield* statesOf(target))[at]).toBe("missing")
        yield* write(name, kept)
      }
      expect((yield* statesOf(target)).at(-1)).toBe(true)
    }),
  )
})
