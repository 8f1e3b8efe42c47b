/** One option under the search box, which keeps the focus: the arrow keys choose an option, and bring it into view. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"

/** The id by which the search box names the option at a place. */
export const optionId = (place: number): string => `row-${place}`

export const Option = ({
  children,
  place,
  isActive,
  as = "row",
  onChoose,
}: {
  readonly children: ComponentChildren
  readonly place: number
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
    <div
      ref={element}
      class={as}
      role="option"
      id={optionId(place)}
      aria-selected={isActive}
      onClick={onChoose}
    >
      {children}
    </div>
  )
}
