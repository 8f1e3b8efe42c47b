import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { appendFile, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "../../src/run/ExportRun.ts"
import * as Journal from "../../src/run/Journal.ts"
import { ndjson } from "../../src/formats/Ndjson.ts"
import type { RunOptions } from "../../src/run/RunOptions.ts"
import type { VerifyOptions } from "../../src/verify/Verify.ts"
import { verify } from "../../src/verify/Verify.ts"
import { bookOf } from "../fixtures/book.ts"
import { pair } from "../fixtures/keys.ts"
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

const without = (members: Record<string, unknown>, ...names: ReadonlyArray<string>): object =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))

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
        manifestSha256: sha256(yield* read(manifest)),
        files: [{ path: target, state: "matches", bytes: 18, expectedBytes: 18 }],
        isIntact: true,
        signature: { state: "none", bytes: null },
        later: null,
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

  it.effect("of an earlier version, which says less, is still one", () =>
    Effect.gen(function* () {
      const { manifest, target } = yield* exported()
      yield* edit(manifest, ({ tables, ...original }) => ({
        ...without(original, "account", "previous"),
        tables: (tables as ReadonlyArray<Record<string, unknown>>).map((table) =>
          without(table, "undocumented"),
        ),
      }))
      expect(yield* statesOf(target)).toEqual(["matches", true])
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
          "previous",
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

describe("a signature", () => {
  const { signer, verifier } = pair()
  const signed = exported({ signer })
  const stateOf = (path: string, options: VerifyOptions = { verifier }) =>
    Effect.map(verify(path, options), ({ signature: { bytes, state } }) => [state, bytes])

  it.effect("is valid for the manifest that was signed, and unchecked without a key", () =>
    Effect.gen(function* () {
      const { manifest, target } = yield* signed
      expect(yield* stateOf(target)).toEqual(["valid", 64])
      expect(yield* stateOf(manifest)).toEqual(["valid", 64])
      expect(yield* stateOf(target, {})).toEqual(["unchecked", 64])
    }),
  )

  it.effect("finds what a manifest alone does not: a changed file with its new hash in the manifest", () =>
    Effect.gen(function* () {
      const { manifest, target } = yield* signed
      const changed = content.replace("2", "7")
      yield* write(target, changed)
      yield* edit(manifest, (original) => ({
        ...original,
        files: [{ ...(original["files"] as ReadonlyArray<object>)[0], sha256: sha256(changed) }],
      }))
      expect(yield* statesOf(target)).toEqual(["matches", true])
      expect(yield* stateOf(target)).toEqual(["invalid", 64])
    }),
  )

  it.effect("is of every byte of the manifest", () =>
    Effect.gen(function* () {
      const { manifest, target } = yield* signed
      const whole = yield* read(manifest)
      for (const text of [
        `${whole} `,
        whole.replace('"complete"', '"complete" '),
        whole.replace(/\d\d\dZ/, "001Z"),
      ]) {
        expect(text).not.toBe(whole)
        yield* write(manifest, text)
        expect(yield* stateOf(target)).toEqual(["invalid", 64])
      }
      yield* write(manifest, whole)
      expect(yield* stateOf(target)).toEqual(["valid", 64])
    }),
  )

  it.effect("is invalid when it is by another key, of another manifest, cut, empty, or no file", () =>
    Effect.gen(function* () {
      const { target } = yield* signed
      const path = `${target}.manifest.json.sig`
      const own = yield* promise(() => readFile(path)) as Effect.Effect<Buffer>
      expect(yield* stateOf(target, { verifier: pair().verifier })).toEqual(["invalid", 64])
      const other = join(yield* folder, "b.ndjson")
      yield* exporting(other, { signer })
      for (const [bytes, length] of [
        [yield* promise(() => readFile(`${other}.manifest.json.sig`)) as Effect.Effect<Buffer>, 64],
        [own.subarray(0, 63), 63],
        [own.subarray(0, 1), 1],
        [Buffer.alloc(0), 0],
        [Buffer.concat([own, own]), 128],
        [Buffer.from(own.toString("base64")), 88],
        [Buffer.alloc(70_000), null],
      ] as const) {
        yield* write(path, bytes)
        expect(yield* stateOf(target)).toEqual(["invalid", length])
      }
      yield* promise(() => rm(path))
      expect(yield* stateOf(target)).toEqual(["missing", null])
      expect(yield* stateOf(target, {})).toEqual(["none", null])
      yield* promise(() => mkdir(path))
      expect(yield* stateOf(target)).toEqual(["invalid", null])
      expect(yield* stateOf(target, {})).toEqual(["unchecked", null])
      if (!hasNamedPipes) return
      yield* promise(() => rm(path, { recursive: true }))
      execFileSync("mkfifo", [path])
      expect(yield* stateOf(target)).toEqual(["invalid", null])
    }),
  )

  it.effect("goes with a manifest that was renamed together with it", () =>
    Effect.gen(function* () {
      const { at, manifest, target } = yield* signed
      const renamed = join(at, "march.manifest.json")
      yield* promise(() => rename(manifest, renamed))
      expect(yield* stateOf(target, { verifier, manifest: renamed })).toEqual(["missing", null])
      yield* promise(() => rename(`${manifest}.sig`, `${renamed}.sig`))
      expect(yield* stateOf(target, { verifier, manifest: renamed })).toEqual(["valid", 64])
    }),
  )
})

describe("a later run", () => {
  const laterOf = (path: string) => Effect.map(verify(path), ({ later }) => later)
  const early = "2026-03-01T09:30:00.000Z"
  const late = "2026-03-02T09:30:00.000Z"
  const endedAt = "2026-03-01T10:00:00.000Z"

  /** A file whose export ended at that time. */
  const ended = Effect.gen(function* () {
    const made = yield* exported()
    yield* edit(made.manifest, (original) => ({ ...original, endedAt }))
    return made
  })

  it.effect("that was interrupted is found, and an earlier one is not", () =>
    Effect.gen(function* () {
      const { manifest, target } = yield* ended
      const path = `${target}.interrupted.json`
      const whole = JSON.parse(yield* read(manifest)) as object
      yield* write(
        path,
        JSON.stringify({ ...whole, verdict: "interrupted", startedAt: early, endedAt: late }),
      )
      const told = { path, state: "interrupted", startedAt: early }
      expect([yield* laterOf(target), yield* laterOf(manifest)]).toEqual([told, told])
      yield* write(path, JSON.stringify({ ...whole, verdict: "interrupted", endedAt: early }))
      expect(yield* laterOf(target)).toBeNull()
    }),
  )

  it.effect("counts as one when its time is not known", () =>
    Effect.gen(function* () {
      const { manifest, target } = yield* ended
      const path = `${target}.interrupted.json`
      for (const text of ["", "{}", "[", "x".repeat(100)]) {
        yield* write(path, text)
        expect(yield* laterOf(target)).toEqual({ path, state: "interrupted", startedAt: null })
      }
      const whole = JSON.parse(yield* read(manifest)) as object
      yield* write(path, JSON.stringify({ ...whole, endedAt: "soon" }))
      expect(yield* laterOf(target)).toMatchObject({ state: "interrupted" })
      yield* write(path, JSON.stringify({ ...whole, endedAt: early }))
      yield* edit(manifest, (original) => without(original, "endedAt"))
      expect(yield* laterOf(target)).toMatchObject({ state: "interrupted" })
    }),
  )

  it.effect("that failed is found, with the journal that it left", () =>
    Effect.gen(function* () {
      const { target } = yield* exported()
      yield* edit(`${target}.manifest.json`, (original) => ({
        ...original,
        endedAt: "1969-12-31T23:59:59.000Z",
      }))
      yield* Effect.flip(exporting(target, { overwrite: true }, 2))
      expect(yield* laterOf(target)).toMatchObject({
        path: `${target}.interrupted.json`,
        state: "interrupted",
      })
      expect(yield* statesOf(target)).toEqual(["matches", true])
      yield* exporting(target, { overwrite: true, resume: true })
      expect(yield* laterOf(target)).toBeNull()
    }),
  )

  const journal = (target: string, header: object) =>
    write(`${target}.resume`, `${JSON.stringify({ version: 2, identity: {}, startedAt: late, ...header })}\n`)

  it.effect("that was killed is found by its journal alone", () =>
    Effect.gen(function* () {
      const { target } = yield* ended
      const path = `${target}.resume`
      yield* journal(target, {})
      expect(yield* laterOf(target)).toEqual({ path, state: "interrupted", startedAt: late })
      yield* journal(target, { startedAt: early })
      expect(yield* laterOf(target)).toBeNull()
      yield* write(path, "not a journal\n")
      expect(yield* laterOf(target)).toBeNull()
    }),
  )

  it.effect("is running while it has its journal", () =>
    Effect.gen(function* () {
      const { target } = yield* ended
      const path = `${target}.resume`
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Journal.make({ target, identity: {}, resume: false, startedAt: late })
          expect(yield* laterOf(target)).toEqual({ path, state: "running", startedAt: late })
        }),
      )
      expect(yield* laterOf(target)).toEqual({ path, state: "interrupted", startedAt: late })
    }),
  )

  it.effect("is looked for beside every file of an export", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const [a, b] = [join(at, "a.ndjson"), join(at, "b.ndjson")]
      yield* exporting("", { outputs: [a, b].map((target) => ({ writer: ndjson, target })) })
      yield* edit(`${b}.manifest.json`, (original) => ({ ...original, endedAt }))
      yield* journal(a, {})
      expect(yield* laterOf(b)).toMatchObject({ path: `${a}.resume`, state: "interrupted" })
    }),
  )
})
