/**
 * SHA-256 by Node's own functions: the first use of Web Crypto takes Node longer than a page of a list. Elsewhere `web.ts` is used in place of this
 * file.
 */
import { createHash } from "node:crypto"

export const sha256 = (text: string): Uint8Array | Promise<Uint8Array> =>
  createHash("sha256").update(text).digest()
