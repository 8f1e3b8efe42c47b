/** One option of a list that keeps the focus: the arrow keys choose an option and scroll to it. */
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
  /** The id that the list, or the search box above it, uses to refer to the chosen option. */
  readonly id: string
  readonly isActive: boolean
  /** CSS classes. */
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
