/**
 * Whether the browser lets the extension show notifications. The permission itself is the setting: it is requested when notifications are turned on,
 * while the browser still handles the click, and released when they are turned off.
 */
import { useEffect, useState } from "preact/hooks"
import { browser } from "wxt/browser"

const wanted = { permissions: ["notifications"] } as const satisfies Parameters<
  typeof browser.permissions.contains
>[0]

const isAllowed = (): Promise<boolean> => browser.permissions.contains(wanted).catch(() => false)

export interface Notifications {
  /** Null until the browser has answered. */
  readonly isOn: boolean | null
  /** Whether permission was requested but notifications are still off. */
  readonly isDenied: boolean
  readonly turn: (isOn: boolean) => void
}

/** Tracks the browser's permission, including changes outside of the page. */
export const useNotifications = (): Notifications => {
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
