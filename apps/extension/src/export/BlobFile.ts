/**
 * A file that is written into a Blob: chunks are joined into parts of a few megabytes, and each part is handed to the browser, which can keep it on
 * disk. Memory use does not grow with the file. The digest is computed chunk by chunk, which `crypto.subtle` cannot do.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"

/** Size of a part, in bytes. */
const partBytes = 4 * 1024 * 1024

export class BlobFile {
  readonly #parts: Array<Blob> = []
  readonly #hash = sha256.create()
  #pending: Array<Uint8Array<ArrayBuffer>> = []
  #pendingBytes = 0
  #bytes = 0

  /** Adds a copy of a chunk, because the caller can reuse its buffer. */
  write(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return
    this.#hash.update(chunk)
    this.#bytes += chunk.byteLength
    this.#pending.push(new Uint8Array(chunk))
    this.#pendingBytes += chunk.byteLength
    if (this.#pendingBytes >= partBytes) this.#handOver()
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The whole file with its SHA-256 in hexadecimal. Called once, at the end. */
  finish(mediaType: string): { readonly content: Blob; readonly sha256: string } {
    this.#handOver()
    return { content: new Blob(this.#parts, { type: mediaType }), sha256: bytesToHex(this.#hash.digest()) }
  }

  #handOver(): void {
    if (this.#pendingBytes === 0) return
    this.#parts.push(new Blob(this.#pending))
    this.#pending = []
    this.#pendingBytes = 0
  }
}
