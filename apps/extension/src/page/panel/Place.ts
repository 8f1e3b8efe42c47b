/**
 * Where the panel is in the window, and whether it was closed: as an object for the page, and as one number that is stored. It is changed by arrow
 * keys, by a button, and by dragging.
 */
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

/** How far a pointer may move in a press, in pixels. */
const slack = 4

/**
 * Lets the user drag a box by a part of it, and calls back with the point of the window where it was dropped. Events that a page's script makes are
 * ignored, and a drag is not a press.
 */
export const letDrag = (
  handle: HTMLElement,
  { style }: HTMLElement,
  dropped: (x: number, y: number) => void,
): void => {
  let wasDragged = false
  handle.addEventListener("pointerdown", (down) => {
    wasDragged = false
    if (!down.isTrusted || down.button !== 0) return
    const ending = new AbortController()
    const listen = (type: "pointermove" | "pointerup" | "pointercancel"): void => {
      const hear = (event: PointerEvent): void => {
        if (!event.isTrusted || event.pointerId !== down.pointerId) return
        const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY]
        wasDragged ||= Math.hypot(x, y) > slack
        if (type === "pointermove") {
          if (wasDragged) style.translate = `${x}px ${y}px`
          return
        }
        ending.abort()
        style.translate = ""
        if (wasDragged && type === "pointerup") dropped(event.clientX, event.clientY)
      }
      window.addEventListener(type, hear, { capture: true, signal: ending.signal })
    }
    listen("pointermove")
    listen("pointerup")
    listen("pointercancel")
  })
  handle.addEventListener(
    "click",
    (click) => {
      // A press by key involves no pointer.
      if (wasDragged && click.detail > 0) click.stopImmediatePropagation()
    },
    { capture: true },
  )
}
