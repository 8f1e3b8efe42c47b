/** A button in the look of the extension's pages. `kinds` are those of `pages.css` and `popup.css`, such as `small quiet`. */
import type { ComponentProps, Ref, ComponentChildren } from "preact"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./Icon.tsx"

export const Button = ({
  kinds = "",
  ...native
}: Omit<ComponentProps<"button">, "class" | "ref"> & { readonly kinds?: string }) => (
  <button type="button" class={`button ${kinds.replace(/[a-z-]+/g, "button-$&")}`.trim()} {...native} />
)

/** A button that shows only an icon. Screen readers announce its name, and hovering shows it. */
export const IconButton = ({
  icon,
  name,
  onPress,
  isDisabled = false,
  element,
}: {
  readonly icon: IconName
  readonly name: string
  readonly onPress: () => void
  readonly isDisabled?: boolean
  readonly element?: Ref<HTMLButtonElement>
}) => (
  <button
    ref={element ?? null}
    type="button"
    class="icon-button"
    aria-label={name}
    title={name}
    disabled={isDisabled}
    onClick={onPress}
  >
    <Icon name={icon} />
  </button>
)

export const Switch = ({
  isOn,
  onChange,
  children,
  isDisabled = false,
}: {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ComponentChildren
  readonly isDisabled?: boolean
}) => (
  <label class="switch">
    <span class="switch-name">{children}</span>
    <input
      type="checkbox"
      role="switch"
      checked={isOn}
      disabled={isDisabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  </label>
)
