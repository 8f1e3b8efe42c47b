/** The bar below the popup's head, if it has content: the account in use, switching to another one, and locking now. */
import type { AppState } from "../../messages/AppState.ts"
import { accountName } from "../state/AccountName.ts"
import { useAction, useBackground } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"

export const AccountBar = ({
  state,
  onState,
}: {
  readonly state: AppState
  readonly onState: (state: AppState) => void
}) => {
  const background = useBackground()
  const acting = useAction(onState)
  const { account, accounts, lock } = state
  return (
    <div class="account-bar">
      {accounts.length < 2 ? null : (
        <label class="account-choice">
          <span class="unseen">{text("accountInUse")}</span>
          <select
            value={account}
            disabled={acting.isBusy}
            onChange={({ currentTarget }) =>
              acting.run(() => background.ask({ type: "page.switchAccount", id: currentTarget.value }))
            }
          >
            {accounts.map((known) => (
              <option key={known.id} value={known.id} selected={known.id === account}>
                {accountName(known)}
              </option>
            ))}
          </select>
        </label>
      )}
      {lock.isSet ? (
        <button
          type="button"
          class="button button-small button-quiet"
          disabled={acting.isBusy}
          onClick={() => acting.run(() => background.ask({ type: "page.lock" }))}
        >
          {text("lockNow")}
        </button>
      ) : null}
      <ErrorNotice error={acting.error} />
    </div>
  )
}
