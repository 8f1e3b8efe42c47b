/** Where the panel is in the window, and whether it was closed: as an object for the page, and as one number that is stored. */

export interface Place {
  readonly isLeft: boolean
  readonly isUpper: boolean
  readonly isClosed: boolean
}

/** Reads a stored place. Default: open, in the lower right corner. */
export const read = (kept = 0): Place => ({
  isLeft: (kept & 1) !== 0,
  isUpper: (kept & 2) !== 0,
  isClosed: (kept & 4) !== 0,
})

export const write = ({ isClosed, isLeft, isUpper }: Place): number =>
  Number(isLeft) + 2 * Number(isUpper) + 4 * Number(isClosed)

/** The corner that is nearest to a point of the window. */
export const nearest = (place: Place, x: number, y: number): Place => ({
  ...place,
  isLeft: x < innerWidth / 2,
  isUpper: y < innerHeight / 2,
})

/** The corner that an arrow key leads to; null for other keys. */
export const beside = (place: Place, key: string): Place | null => {
  if (key === "ArrowLeft" || key === "ArrowRight") return { ...place, isLeft: key === "ArrowLeft" }
  if (key === "ArrowUp" || key === "ArrowDown") return { ...place, isUpper: key === "ArrowUp" }
  return null
}

/** The next corner, clockwise. */
export const next = (place: Place): Place => ({
  ...place,
  isLeft: !place.isUpper,
  isUpper: place.isLeft,
})
