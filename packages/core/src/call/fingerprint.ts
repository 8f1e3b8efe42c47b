/**
 * Distinguishes two keys of one origin without storing either: the first 64 bits of a SHA-256 over origin and key. A random key cannot be
 * recovered from it, and it differs for each origin.
 */
export const fingerprint = async (origin: string, key: string): Promise<string> => {
  const bytes = new TextEncoder().encode(`deedkit ${origin} ${key}`)
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
