/** A case of the bench: pages of contracts in, bytes out. */
import type { Contract } from "@deedkit/core"

export type Pages = () => Iterable<ReadonlyArray<Contract.Contract>>

/** Receives the bytes of the file in order. */
export type Put = (bytes: Uint8Array) => void

/** Writes a whole file. */
type Write = (pages: Pages, put: Put) => Promise<void> | void

/** Imports what a case needs. This is not measured. */
export type Case = () => Promise<Write>
