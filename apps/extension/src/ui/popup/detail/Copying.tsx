/** A value of a record that a click copies verbatim. */
import { createContext } from "preact"
import type { ComponentChildren } from "preact"
import { useContext } from "preact/hooks"
import { Icon } from "../../kit/Icon.tsx"
import { text } from "../../kit/Message.ts"

/** Announces that something was copied, or was not. */
export type Say = (said: string) => void

/** Copies a text and announces the result. */
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
  shown = value,
  children,
}: {
  /** The name of the value, for people. */
  readonly name: string
  readonly value: string
  /** The value as it is shown, if that differs. */
  readonly shown?: string
  readonly children: ComponentChildren
}) => {
  const say = useContext(Saying)
  return (
    <button
      type="button"
      class="value"
      title={text("copyField", name)}
      aria-label={text("copyField", `${name} ${shown}`)}
      onClick={() => copy(value, text("copiedField", name), say)}
    >
      <span>{children}</span>
      <Icon name="copy" />
    </button>
  )
}
