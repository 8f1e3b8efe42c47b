/** A button for an action that cannot be undone: it asks for confirmation, says what will be lost, and a second button performs the action. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { text } from "../kit/Message.ts"
import { Button } from "../kit/Button.tsx"

export const Confirm = ({
  first,
  question,
  second,
  onConfirm,
  isBusy = false,
  children = null,
}: {
  /** The label of the button that asks. */
  readonly first: string
  readonly question: string
  /** The label of the button that performs the action. */
  readonly second: string
  readonly onConfirm: () => void
  readonly isBusy?: boolean
  /** Describes what will be lost. */
  readonly children?: ComponentChildren
}) => {
  const [isAsking, setAsking] = useState(false)
  const asked = useRef(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isAsking) heading.current?.focus()
    else if (asked.current) opener.current?.focus()
    asked.current = isAsking
  }, [isAsking])
  if (!isAsking) {
    return (
      <button
        ref={opener}
        type="button"
        class="button button-danger"
        disabled={isBusy}
        onClick={() => setAsking(true)}
      >
        {isBusy ? text("busy") : first}
      </button>
    )
  }
  return (
    <div
      class="confirm"
      role="group"
      aria-label={question}
      onKeyDown={(event) => {
        if (event.key === "Escape") setAsking(false)
      }}
    >
      <h3 ref={heading} tabIndex={-1}>
        {question}
      </h3>
      {children}
      <p class="form-end">
        <Button
          kinds="danger-main"
          onClick={() => {
            setAsking(false)
            onConfirm()
          }}
        >
          {second}
        </Button>
        <Button onClick={() => setAsking(false)}>{text("keepIt")}</Button>
      </p>
    </div>
  )
}
