/**
 * The setting for a notification when a read finds that watched contracts changed. The browser's permission itself is the setting: it is requested
 * when notifications are turned on, while the browser still handles the click, and released when they are turned off.
 */
import { text } from "../kit/Message.ts"
import { Switch } from "../kit/Button.tsx"
import { useEffect, useState } from "preact/hooks"
import { browser } from "wxt/browser"

const wanted = { permissions: ["notifications"] } as const satisfies Parameters<
  typeof browser.permissions.contains
>[0]

const isAllowed = (): Promise<boolean> => browser.permissions.contains(wanted).catch(() => false)

interface Notifications {
  /** Null until the browser has answered. */
  readonly isOn: boolean | null
  /** Whether permission was requested but notifications are still off. */
  readonly isDenied: boolean
  readonly turn: (isOn: boolean) => void
}

/** Tracks the browser's permission, including changes outside of the page. */
const useNotifications = (): Notifications => {
  const [isOn, setOn] = useState<boolean | null>(null)
  const [isDenied, setDenied] = useState(false)
  useEffect(() => {
    const { onAdded, onRemoved } = browser.permissions
    const look = (): void => void isAllowed().then(setOn)
    look()
    onAdded.addListener(look)
    onRemoved.addListener(look)
    return () => {
      onAdded.removeListener(look)
      onRemoved.removeListener(look)
    }
  }, [])
  const turn = (isWanted: boolean): void => {
    setOn(isWanted)
    setDenied(false)
    const ask = async (): Promise<unknown> =>
      isWanted ? browser.permissions.request(wanted) : browser.permissions.remove(wanted)
    void ask()
      .catch(() => false)
      .then(isAllowed)
      .then((isNow) => {
        setOn(isNow)
        setDenied(isWanted && !isNow)
      })
  }
  return { isOn, isDenied, turn }
}

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
