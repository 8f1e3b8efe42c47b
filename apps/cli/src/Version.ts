/**
 * The version of this program, from the manifest that is published with it: one place, whether the source runs or the bundle.
 */
import { readFileSync } from "node:fs"

/** Such as `1.4.0`. */
export const version: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string
  }
).version
