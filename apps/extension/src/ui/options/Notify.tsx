/** The setting for a notification when a read finds that watched contracts changed. */
import { text } from "../kit/Message.ts"
import { Switch } from "../kit/Switch.tsx"
import { useNotifications } from "../state/Notifications.ts"

export const Notify = () => {
  const { isDenied, isOn, turn } = useNotifications()
  return (
    <div class="part">
      <Switch isOn={isOn === true} isDisabled={isOn === null} onChange={turn}>
        {text("notifyLabel")}
      </Switch>
      <p class="entry-hint">{text("notifyHint")}</p>
      <p role="status">{isDenied ? text("notifyDenied") : null}</p>
    </div>
  )
}
