/**
 * A place where the tree breaks a rule: its location, what is wrong there, and what to do about it.
 */
export interface Finding {
  readonly path: string
  /** Counted from 1; null for the whole file. */
  readonly line: number | null
  readonly message: string
}

/** One line per finding, in the order of the tree, in a form that editors and terminals turn into links. */
export const lines = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> =>
  findings
    .toSorted((a, b) => (a.path === b.path ? (a.line ?? 0) - (b.line ?? 0) : a.path < b.path ? -1 : 1))
    .map(({ path, line, message }) => `${path}${line === null ? "" : `:${line}`} ${message}`)
