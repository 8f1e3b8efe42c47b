/** The oldest Node that runs this program. `bin.ts` asks before it loads anything that an older one does not have. */

/** Major and minor version, as in `engines` of the manifest. */
export const oldest = "22.19"

/** What to say on a Node that is too old; null on any other. `version` is such as `20.20.2`. */
export const tooOld = (version: string): string | null => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number)
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
  return isOld ? `Node ${oldest} or newer is needed; this is ${version}.` : null
}
