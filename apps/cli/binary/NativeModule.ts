/**
 * Loads a binary module that is inside the single file. The system loads such modules only from a file, so it is written to a folder of its own, which
 * nobody else can write and which is removed as soon as the module is loaded.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getRawAsset } from "node:sea"

/** Throws where no temporary file can be written, or nothing be loaded from there. */
export const load = (name: "keychain" | "locks"): Readonly<Record<string, unknown>> => {
  const folder = mkdtempSync(join(tmpdir(), "deedkit-"))
  try {
    const path = join(folder, `${name}.node`)
    writeFileSync(path, new Uint8Array(getRawAsset(name)), { mode: 0o600 })
    const module: { readonly exports: Readonly<Record<string, unknown>> } = { exports: {} }
    process.dlopen(module, path)
    return module.exports
  } finally {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Windows keeps a loaded file until the program ends.
    }
  }
}
