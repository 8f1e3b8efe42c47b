/** Lets the user drag a box by a part of it. Events that a page's script makes are ignored, and a drag is not a press. */

/** How far a pointer may move in a press, in pixels. */
const slack = 4

/** Calls back with the place in the window where the box was dropped. */
export const make = (
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
