/**
 * What the extension draws in a page. Browsers let a page search, select and copy the text within closed roots, so there is none: texts are
 * attributes, which the style sheet shows as generated content, and which screen readers read.
 */

/** Frames until a first paint may be seen, and until its layer is given back. */
const seenAfter = 3
const settledAfter = 6

/**
 * Lets what is in an element, and was never painted, appear so that the browser reports no paint of it to the page: first it is painted on a
 * layer of its own that cannot be seen, and then only composited. A text that changes needs a new element.
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

/** An element with a class and with elements in it. */
export const element = (tag: string, className: string, ...content: ReadonlyArray<Node>): HTMLElement => {
  const made = document.createElement(tag)
  made.className = className
  made.append(...content)
  return made
}

/** Has an element show one line of text, and no other. */
export const write = (element: HTMLElement, words: string): void => {
  element.dataset["text"] = words
}

/** Makes an element a mark in the colour of a status. Statuses that the style sheet does not know have one colour. Spec: Contract status. */
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
