/** One option of a list whose focus stays where it is: the arrow keys choose an option, and bring it into view. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"

export const Option = ({
  children,
  id,
  isActive,
  as = "row",
  onChoose,
}: {
  readonly children: ComponentChildren
  /** By which the list, or the search box above it, names the chosen option. */
  readonly id: string
  readonly isActive: boolean
  /** Its classes. */
  readonly as?: string
  readonly onChoose: () => void
}) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView?.({ block: "nearest" })
  }, [isActive])
  return (
    <div ref={element} class={as} role="option" id={id} aria-selected={isActive} onClick={onChoose}>
      {children}
    </div>
  )
}
