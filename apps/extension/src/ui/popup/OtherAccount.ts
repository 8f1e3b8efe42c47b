/** Leaves the shown contract when another account is selected, because a contract belongs to one account. */
import { useEffect, useRef } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"

export const useOtherAccount = ({ account }: AppState, onOther: () => void): void => {
  const before = useRef(account)
  useEffect(() => {
    if (before.current !== account) onOther()
    before.current = account
  }, [account])
}
