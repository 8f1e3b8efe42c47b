/** An unobtrusive line for users who manage the account's API keys: how many need attention. Renders nothing if none does or the keys may not be listed. */
import { useEffect, useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import * as KeyLook from "../audit/KeyLook.ts"
import { useBackground } from "../state/Live.ts"
import { plural } from "../kit/Message.ts"
import * as Tab from "../state/Tab.ts"

export const KeysRow = ({ state }: { readonly state: AppState }) => {
  const background = useBackground()
  const account = KeyLook.accountOf(state)
  const isReady = state.connection._tag === "Ready"
  const [keys, setKeys] = useState(0)
  useEffect(() => {
    if (account === null || !isReady) return
    let isWanted = true
    void KeyLook.count(background, account, Date.now()).then((count) => {
      if (isWanted) setKeys(count)
    })
    return () => {
      isWanted = false
    }
  }, [background, account, isReady])
  if (keys === 0 || !isReady) return null
  return (
    <button type="button" class="keys-row" onClick={() => void Tab.open("/audit.html")}>
      {plural("keysRow", keys)}
    </button>
  )
}
