/**
 * A process that adds one to a number in a file, as often as it can, each time under the lock beside it, and says so with a line. With `hold`
 * it takes the lock, says so, and keeps it for ever. It is there to be killed.
 */
import { readFile, rename, writeFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as SettingsLock from "../../src/store/SettingsLock.ts"

const [path = "", what] = process.argv.slice(2)

/** Reads and writes in two steps with work between them, so that two at a time would lose a turn. */
const addOne = Effect.promise(async () => {
  const number = Number(await readFile(path, "utf8"))
  for (let work = 0; work < 50; work += 1) await readFile(path)
  const next = `${path}.${process.pid}`
  await writeFile(next, String(number + 1))
  await rename(next, path)
  process.stdout.write("+\n")
})

const keep = Effect.flatMap(
  Effect.sync(() => process.stdout.write("held\n")),
  () => Effect.never,
)

// What only waits for ever would let the process end.
setInterval(() => {}, 1_000_000)
const locked = SettingsLock.hold(SettingsLock.beside(path))
await Effect.runPromise(what === "hold" ? locked(keep) : Effect.forever(locked(addOne)))
