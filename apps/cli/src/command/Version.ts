/** The version of this program: set by the build, otherwise read from the manifest of the checkout. */
import { readFileSync } from "node:fs"

declare const DEEDKIT_VERSION: string | undefined

const fromManifest = (): string => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8")
  return (JSON.parse(manifest) as { readonly version: string }).version
}

/** Such as `1.4.0`. */
export const version: string = typeof DEEDKIT_VERSION === "string" ? DEEDKIT_VERSION : fromManifest()
