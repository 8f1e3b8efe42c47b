/**
 * A kind of thing that can be generated: the names that are taken, and everything that a new one needs, as texts by path. Nothing here accesses the
 * disk.
 */
import type { Tree } from "@deedkit/checks"
import type { Edit } from "./Edit.ts"
import type { Name } from "./Name.ts"

/** Where a thing belongs, for the kinds that need it. */
export interface Place {
  /** The category of a fault. */
  readonly category?: string | undefined
  /** The parent command of a command. */
  readonly group?: string | undefined
  /** The folder of a command below `apps/cli/src`. */
  readonly folder?: string | undefined
}

/** Texts by path. */
export type Texts = Readonly<Record<string, string>>

interface Plan {
  /** New files. */
  readonly made: Texts
  /** Additions to existing files, by path. */
  readonly edits: Readonly<Record<string, ReadonlyArray<Edit>>>
  /** The remaining steps for a person, one sentence each. */
  readonly next: ReadonlyArray<string>
}

/** A plan with whole texts. */
export interface Changes extends Pick<Plan, "made" | "next"> {
  readonly changed: Texts
}

export interface Kind {
  /** Names that are taken. */
  readonly taken: (tree: Tree.Tree, place: Place) => ReadonlyArray<string>
  /** Throws `Refused` if there is no place for it. */
  readonly plan: (name: Name, tree: Tree.Tree, place: Place) => Plan
  /** What to do when its folder is full. */
  readonly whenFull?: string
}
