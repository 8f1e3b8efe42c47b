/** What the build takes out of the background is used by nothing of the extension, and a source that has changed stops the build. */
import { readdir, readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import type { Plugin } from "vite"
import { expect, it } from "vitest"
import { silent } from "../../../bundling/Silent.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const source = join(root, "src")
const core = join(root, "..", "..", "packages", "core", "src")

const effect = dirname(createRequire(import.meta.url).resolve("effect/Effect"))

/** What the plugin makes of a file; throws what it stops the build with. */
const transformed = (code: string, id: string): string | null => {
  const { transform } = silent() as Plugin & {
    readonly transform: (code: string, id: string) => { readonly code: string } | null
  }
  const error = (message: string): never => {
    throw new Error(message)
  }
  return transform.call({ error } as never, code, id)?.code ?? null
}

const sourceOf = (id: string): Promise<string> => readFile(id, "utf8")

/** Where core has them, in whatever folder. */
const filesOfCore = await readdir(core, { recursive: true })
const replaced = filesOfCore
  .filter((name) =>
    /(?:^|[\\/])(?:tracing|wording|events|listenerWarning|optionCheck|RetryOption)\.ts$/.test(name),
  )
  .map((name) => join(core, name))

it("finds the modules of core that are replaced", () => {
  expect(replaced.map((path) => basename(path)).toSorted()).toEqual([
    "RetryOption.ts",
    "events.ts",
    "listenerWarning.ts",
    "optionCheck.ts",
    "tracing.ts",
    "wording.ts",
  ])
})

it.each(replaced)("replaces %s as it is", async (id) => {
  const code = await sourceOf(id)
  expect(transformed(code, id)).not.toBe(code)
})

it.each(replaced)("stops the build when %s exports something else", async (id) => {
  const code = await sourceOf(id)
  expect(() => transformed(`${code}\nexport const more = 1\n`, id)).toThrow("has other exports now")
  expect(() => transformed(code.replace("export const", "const"), id)).toThrow("has other exports now")
})

/** Texts of Effect that the plugin changes, each of which must be there once. */
const edited: ReadonlyArray<readonly [path: string, text: string]> = [
  ["internal/effect.js", "new Set([defaultLogger, tracerLogger])"],
  ["internal/effect.js", "export const logWithLevel = "],
  ["internal/effect.js", "const logLevelColors = "],
  ["internal/effect.js", "const captureAsyncContext = "],
  ["internal/effect.js", "const fiberStackAnnotations = "],
  ["internal/effect.js", "const continuationMarksStack = "],
  ["internal/effect.js", "return wallTimeNanos();"],
  ["internal/effect.js", "return monotonicNowNanos();"],
  ["internal/effect.js", "this.cache.runtimeMetrics?.recordFiberStart(this.context);"],
  ["internal/effect.js", "} else if (this._asyncContext !== undefined) {"],
  ["internal/effect.js", "    if (this.cache.stackFrame) {"],
  [
    "internal/effect.js",
    "cache.tracerContext ? cache.tracerContext(current, this) : current[evaluate](this)",
  ],
  [
    "internal/effect.js",
    'get currentSpanLocal() {\n    const span = this.cache.span;\n    return span?._tag === "Span" ? span : undefined;\n  }',
  ],
  ["internal/effect.js", "currentTimeNanos = /*#__PURE__*/sync(() => this.currentTimeNanosUnsafe());"],
  ["internal/effect.js", "monotonicTimeNanos = /*#__PURE__*/sync(() => this.monotonicTimeNanosUnsafe());"],
  ["internal/effect.js", "    tracer: currentTracer,\n"],
  ["internal/effect.js", "    stackFrame: Context.get(context, CurrentStackFrame),\n"],
  ["internal/core.js", "if (fiber.cache.stackFrame) {"],
  ["internal/core.js", "if (annotations !== constEmptyAnnotations && "],
  ["internal/core.js", "if (annotations.mapUnsafe.size === 0) return this;"],
  ["internal/core.js", "if (annotations.mapUnsafe.size === 0) return self;"],
  ["Scheduler.js", '"setImmediate" in globalThis ? f =>'],
  ["Context.js", "const serviceNotFoundError = "],
  ["Duration.js", "export const fromInputUnsafe = "],
  ["Duration.js", "const make = input => {"],
  ["Duration.js", "export const toMillis = self => "],
  ["Pipeable.js", "export const pipeArguments = "],
  ["Scheduler.js", "const buckets = this.tasks.drain();"],
]

it.each(edited)("stops the build when %s has not, or not only once, %s", async (path, text) => {
  const id = join(effect, path)
  const code = await sourceOf(id)
  expect(transformed(code, id)).not.toBe(code)
  expect(() => transformed(code.replace(text, ""), id)).toThrow("is written otherwise now")
  expect(() => transformed(`${code}\n${text}`, id)).toThrow("is written otherwise now")
})

/** Modules whose sentences are blanked, each with one of them. */
const withSentences: ReadonlyArray<readonly [path: string, sentence: string]> = [
  [join(core, "call", "ClientConfig.ts"), "is not a URL; it should look like https://api.example.com"],
  [join(core, "client", "recordsOf.ts"), 'must be a whole number from 1, or "all"'],
  [join(core, "model", "deepJson.ts"), "cannot be written as JSON"],
  [join(core, "pagination", "proof", "Progress.ts"), "named a cursor that an earlier page had named"],
  [join(core, "pagination", "reading", "Reading.ts"), "had no records and named a further page"],
  [join(core, "transport", "Transport.ts"), "the connection failed"],
  [join(effect, "internal", "effect.js"), "All fibers interrupted without error"],
]

it.each(withSentences)("blanks the sentences of %s", async (id, sentence) => {
  const code = await sourceOf(id)
  expect(code).toContain(sentence)
  expect(transformed(code, id)).not.toContain(sentence)
})

it("stops the build when a module has no sentence any more", () => {
  const id = join(core, "model", "deepJson.ts")
  expect(() => transformed("export const none = 1\n", id)).toThrow("has no sentence any more")
})

it.each([
  ["pagination/Cursor.ts", "the second page was empty and the last"],
  ["pagination/reading/Probe.ts", "came back`"],
  ["pagination/reading/PageReader.ts", "the first page could not be asked for again"],
])("leaves the evidence for a cursor in %s, which manifests have: %s", async (name, evidence) => {
  const id = join(core, name)
  const code = await sourceOf(id)
  expect(transformed(code, id) ?? code).toContain(evidence)
})

it("leaves every other file alone", async () => {
  const id = join(
    core,
    filesOfCore.find((name) => basename(name) === "fingerprint.ts")!,
  )
  expect(transformed(await sourceOf(id), id)).toBeNull()
})

it("is right that core gives no duration in words", async () => {
  const sources = await Promise.all(
    filesOfCore.filter((name) => name.endsWith(".ts")).map((name) => sourceOf(join(core, name))),
  )
  const code = sources.flatMap((text) => text.split("\n")).filter((line) => !/^\s*(?:\/\*)?\*/.test(line))
  expect(code.filter((line) => /"\d+(?:\.\d+)? [a-z]+s?"/.test(line))).toEqual([])
})

/** What would be another thing, or nothing, in the build; each with the folders whose code runs with it. */
const missed: ReadonlyArray<readonly [what: string, use: RegExp, folders: RegExp]> = [
  ["the stream of events", /\.events\b/g, /./],
  ["priorities of fibers", /\b(?:yieldNowWith|SchedulerPriority)\b/g, /./],
  ["scopes that end everything at once", /"parallel"/g, /./],
  ["schedules", /effect\/Schedule"/g, /./],
  ["durations in words", /"\d+(?:\.\d+)? (?:nano|micro|milli|second|minute|hour|day|week)s?"/g, /./],
  ["durations in parts or of nanoseconds", /\b(?:Duration\.(?:nanos|micros|fromInput)|duration: [[{])/g, /./],
  ["nanoseconds of a clock", /\b(?:currentTimeNanos|monotonicTimeNanos)\b/g, /./],
  ["spans, or contexts of a tracer", /effect\/Tracer"|\.(?:withSpan|annotateCurrentSpan)\b/g, /./],
  [
    "a preset of retries, or a priority",
    /\bretry: "|\bpriority:/g,
    /^(?:background|sync|index|export)[\\/](?!connection[\\/]ConnectionTest\.ts)/,
  ],
  // Pages and the export's worker have messages of their own.
  [
    "the sentences of errors",
    /\.message\b|\btoJSON\b/g,
    /^(?:background|browser-ui|index|messages|page|failures)[\\/]/,
  ],
]

it.each(missed)("is right that nothing of the extension uses %s", async (_what, use, folders) => {
  const names = (await readdir(source, { recursive: true }))
    .filter((name) => /\.tsx?$/.test(name))
    .filter((name) => folders.test(name))
  const uses = await Promise.all(
    names.map(async (name) =>
      [...(await readFile(join(source, name), "utf8")).matchAll(use)].map(([used]) => `${name}: ${used}`),
    ),
  )
  expect(names.length).toBeGreaterThan(50)
  expect(uses.flat()).toEqual([])
})
