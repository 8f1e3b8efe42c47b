/**
 * Tells two keys of one origin apart without keeping either: 64 bits of a SHA-256 over origin and key. A random key cannot be found
 * from it, and it means nothing for another origin.
 */
export const fingerprint = async (origin: string, key: string): Promise<string> => {
  const bytes = new TextEncoder().encode(`deedkit ${origin} ${key}`)
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
