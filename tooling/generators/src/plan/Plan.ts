/** What a kind of thing is: the names that are taken, and everything that one more of it needs, as texts by path. Nothing here touches a disk. */
import type { Tree } from "@deedkit/checks"
import type { Edit } from "./Edit.ts"
import type { Name } from "./Name.ts"

/** Where a thing belongs, for the kinds that ask. */
export interface Place {
  /** Of a fault. */
  readonly category?: string | undefined
  /** Of a command: the command that it is a subcommand of. */
  readonly group?: string | undefined
  /** Of a command: its folder below `apps/cli/src`. */
  readonly folder?: string | undefined
}

/** Texts by path. */
export type Texts = Readonly<Record<string, string>>

interface Plan {
  /** Files that are not there yet. */
  readonly made: Texts
  /** What is added to files that are, by path. */
  readonly edits: Readonly<Record<string, ReadonlyArray<Edit>>>
  /** What is left to a person, a sentence each. */
  readonly next: ReadonlyArray<string>
}

/** A plan with whole texts. */
export interface Changes extends Pick<Plan, "made" | "next"> {
  readonly changed: Texts
}

export interface Kind {
  /** Names that are taken. */
  readonly taken: (tree: Tree.Tree, place: Place) => ReadonlyArray<string>
  /** Throws `Refused` where there is no place for it. */
  readonly plan: (name: Name, tree: Tree.Tree, place: Place) => Plan
  /** What to do when its folder is full. */
  readonly whenFull?: string
}
