/** A contract that is looked at belongs to one account: it is left when another account is used. */
import { useEffect, useRef } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"

export const useOtherAccount = ({ account }: AppState, onOther: () => void): void => {
  const before = useRef(account)
  useEffect(() => {
    if (before.current !== account) onOther()
    before.current = account
  }, [account])
}
