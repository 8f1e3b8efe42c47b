/** A value of a record that is copied by pressing it, exactly as the service gave it. */
import { createContext } from "preact"
import type { ComponentChildren } from "preact"
import { useContext } from "preact/hooks"
import { Icon } from "../../kit/Icon.tsx"
import { text } from "../../kit/Message.ts"

/** Takes what is to be said when something was copied, or was not. */
export type Say = (said: string) => void

/** Copies a text, and says so. */
export const copy = (what: string, said: string, say: Say): void => {
  say("")
  void navigator.clipboard.writeText(what).then(
    () => say(said),
    () => say(`${text("copyFailed")} ${text("copyFailedAdvice")}`),
  )
}

export const Saying = createContext<Say>(() => {})

export const Value = ({
  name,
  value,
  children,
}: {
  /** What it is, in words. */
  readonly name: string
  readonly value: string
  readonly children: ComponentChildren
}) => {
  const say = useContext(Saying)
  return (
    <button
      type="button"
      class="value"
      title={text("copyField", name)}
      onClick={() => copy(value, text("copiedField", name), say)}
    >
      <span>{children}</span>
      <Icon name="copy" />
    </button>
  )
}
