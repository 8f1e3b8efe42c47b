/**
 * The elements that the extension draws in a page. Browsers let a page search, select and copy the text within closed roots, so they contain
 * none: texts are attributes, which the style sheet shows as generated content, and which screen readers read.
 */

/** Frames until a first paint may be visible, and until its layer is released. */
const seenAfter = 3
const settledAfter = 6

/**
 * Shows the content of an element that was never painted so that the browser reports no paint of it to the page: the content is first painted
 * on an invisible layer of its own, and then only composited. A text that changes needs a new element.
 */
export const silently = ({ style }: HTMLElement): void => {
  style.opacity = "0"
  style.willChange = "opacity"
  let frames = 0
  const step = (): void => {
    frames++
    if (frames === seenAfter) style.opacity = ""
    if (frames < settledAfter) requestAnimationFrame(step)
    else style.willChange = ""
  }
  requestAnimationFrame(step)
}

/** An element with a class and with content. */
export const element = (tag: string, className: string, ...content: ReadonlyArray<Node>): HTMLElement => {
  const made = document.createElement(tag)
  made.className = className
  made.append(...content)
  return made
}

/** Sets the one line of text that an element shows. */
export const write = (element: HTMLElement, words: string): void => {
  element.dataset["text"] = words
}

/** Makes an element a mark in the colour of a status. Statuses that the style sheet does not know share one colour. Spec: Contract status. */
export const dress = (mark: HTMLElement, status: string, words: string): void => {
  mark.classList.add("mark")
  mark.dataset["status"] = status
  write(mark, words)
}

/** An element with a class that shows one line of text. */
export const line = (tag: string, className: string, words: string): HTMLElement => {
  const made = element(tag, className)
  write(made, words)
  return made
}
