/** The bar below the popup's head, if there are several accounts: the one in use, and switching to another one. */
import type { StateProps } from "../state/Live.ts"
import { accountName, text } from "../kit/Message.ts"
import { useChange } from "../state/Live.ts"
import { ErrorNotice } from "../advice/Notice.tsx"

export const AccountBar = ({ state, onState }: StateProps) => {
  const acting = useChange(onState)
  const { account, accounts } = state
  return (
    <div class="account-bar">
      <label class="account-choice">
        <span class="unseen">{text("accountInUse")}</span>
        <select
          value={account}
          disabled={acting.isBusy}
          onChange={({ currentTarget }) =>
            acting.ask({ type: "page.switchAccount", id: currentTarget.value })
          }
        >
          {accounts.map((known) => (
            <option key={known.id} value={known.id} selected={known.id === account}>
              {accountName(known)}
            </option>
          ))}
        </select>
      </label>
      <ErrorNotice error={acting.error} />
    </div>
  )
}
