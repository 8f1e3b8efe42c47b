/** A button that shows only an icon. Screen readers announce its name, and hovering shows it. */
import type { Ref } from "preact"
import { Icon } from "./Icon.tsx"
import type { IconName } from "./Icon.tsx"

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
