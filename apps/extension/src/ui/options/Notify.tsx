/** Whether a read in which watched contracts changed is told in a notification. */
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
