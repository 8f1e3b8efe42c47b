/** Names that the parts of a workbook share (ECMA-376, transitional). */

export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const mainNamespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
/** Prefix of the types of relations. */
export const relationNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
/** Prefix of the media types of parts. */
export const mediaTypes = "application/vnd.openxmlformats-officedocument"

export interface Relation {
  readonly id: string
  /** The part of the type after `relationNamespace`, such as `/table`. */
  readonly type: string
  readonly target: string
  /** Default false: the target is a part of the workbook. */
  readonly isExternal?: boolean
}

/** Targets are escaped already. */
export const relationElements = (all: ReadonlyArray<Relation>): string =>
  all
    .map(
      ({ id, isExternal = false, target, type }) =>
        `<Relationship Id="${id}" Type="${relationNamespace}${type}" Target="${target}"${isExternal ? ' TargetMode="External"' : ""}/>`,
    )
    .join("")

/** A part that holds relations. */
export const relations = (all: ReadonlyArray<Relation>): string =>
  `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationElements(all)}</Relationships>`
