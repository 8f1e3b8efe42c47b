/**
 * A file on its way into a Blob: chunks are put together to parts of a few megabytes, and each part is handed to the browser, which may
 * keep it on disk. The memory that this needs does not grow with the file.
 */
import { Sha256 } from "./Sha256.ts"

/** Bytes that are held back before the browser gets them. */
const partBytes = 4 * 1024 * 1024

export class BlobFile {
  readonly #parts: Array<Blob> = []
  readonly #hash = new Sha256()
  #pending: Array<Uint8Array<ArrayBuffer>> = []
  #pendingBytes = 0
  #bytes = 0

  /** Takes a chunk, which must not change any more. */
  write(chunk: Uint8Array): void {
    this.#hash.update(chunk)
    this.#bytes += chunk.byteLength
    this.#pending.push(chunk as Uint8Array<ArrayBuffer>)
    this.#pendingBytes += chunk.byteLength
    if (this.#pendingBytes >= partBytes) this.#handOver()
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The whole file with its SHA-256 in hexadecimal. Called once, at the end. */
  finish(mediaType: string): { readonly content: Blob; readonly sha256: string } {
    this.#handOver()
    return { content: new Blob(this.#parts, { type: mediaType }), sha256: this.#hash.hex() }
  }

  #handOver(): void {
    if (this.#pendingBytes === 0) return
    this.#parts.push(new Blob(this.#pending))
    this.#pending = []
    this.#pendingBytes = 0
  }
}
