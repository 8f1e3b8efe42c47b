/** What a case of the bench is: pages of contracts in, bytes out. */
import type { Contract } from "@deedkit/core"

export type Pages = () => Iterable<ReadonlyArray<Contract.Contract>>

/** Takes bytes of the file in their order. */
export type Put = (bytes: Uint8Array) => void

/** Writes a whole file. */
type Write = (pages: Pages, put: Put) => Promise<void> | void

/** Imports what a case needs, which is no part of what is measured. */
export type Case = () => Promise<Write>
