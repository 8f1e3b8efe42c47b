/** An on/off switch with its name beside it. */
import type { ComponentChildren } from "preact"

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
