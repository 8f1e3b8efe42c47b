/** Our writers, driven page by page as in a run. */
import { contracts } from "@deedkit/export"
import type { TableWriter } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type { Pages } from "./Case.ts"

/** Writes all pages; the writer waits for every chunk. */
export const write = (
  writer: TableWriter.TableWriter,
  pages: Pages,
  put: (bytes: Uint8Array) => Effect.Effect<void>,
): Promise<void> =>
  Effect.gen(function* () {
    const file = yield* writer.open({ write: put })
    const sheet = yield* file.begin(contracts)
    for (const page of pages()) yield* sheet.add(page)
    yield* sheet.end
    yield* file.end
  }).pipe(Effect.scoped, Effect.runPromise)
