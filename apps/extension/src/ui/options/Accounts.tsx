/** The accounts: selecting, renaming and adding them, and removing one with its key and its index. */
import type { Account } from "../../messages/AppState.ts"
import { accountName, text } from "../kit/Message.ts"
import { Confirm } from "../forms/Confirm.tsx"
import { EntryForm } from "../forms/EntryForm.tsx"
import { useBackground, useChange } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Section } from "../kit/Frame.tsx"
import { Button } from "../kit/Button.tsx"

interface TypedName {
  readonly _tag: "Usable"
  readonly name: string
}

/** A name of an account: a new one, or another one for `initial`. */
const NameForm = ({
  initial = "",
  ...form
}: Pick<Parameters<typeof EntryForm<TypedName>>[0], "entry" | "submit" | "done" | "send" | "onDone"> & {
  readonly initial?: string
}) => (
  <EntryForm<TypedName>
    {...form}
    initial={initial}
    isCleared={initial === ""}
    isOnly={false}
    read={(name) => ({ _tag: "Usable", name })}
  />
)

const AccountCard = ({ account, state, onState }: StateProps & { readonly account: Account }) => {
  const background = useBackground()
  const acting = useChange(onState)
  const { baseUrl, id } = account
  const name = accountName(account)
  return (
    <li class="site-card account-card" data-granted>
      <div class="site-card-header">
        <h3>
          <bdi>{name}</bdi>
        </h3>
        {id === state.account ? (
          <span class="account-used">{text("accountUsed")}</span>
        ) : (
          <Button
            kinds="small"
            disabled={acting.isBusy}
            onClick={() => acting.ask({ type: "page.switchAccount", id })}
          >
            {text("accountUse")} <span class="unseen">{name}</span>
          </Button>
        )}
      </div>
      <p class="quiet">
        <bdi>{baseUrl ?? text("accountNoAddress")}</bdi>
      </p>
      <ErrorNotice error={acting.error} />
      <details class="site-card-patterns">
        <summary>
          {text("accountChange")} <span class="unseen">{name}</span>
        </summary>
        <div class="account-change">
          <NameForm
            entry={{ id: `account-${id}`, kind: "name", label: text("accountName") }}
            submit={text("accountRename")}
            initial={account.name}
            done={text("accountRenamed")}
            send={({ name }) => background.ask({ type: "page.renameAccount", id, name })}
            onDone={onState}
          />
          {state.accounts.length < 2 ? null : (
            <Confirm
              first={text("accountRemove")}
              question={text("accountRemoveQuestion", name)}
              second={text("accountRemoveYes")}
              isBusy={acting.isBusy}
              onConfirm={() => acting.ask({ type: "page.removeAccount", id })}
            >
              <p>{text("accountRemoveMeaning")}</p>
            </Confirm>
          )}
        </div>
      </details>
    </li>
  )
}

export const Accounts = ({ onState, state }: StateProps) => {
  const background = useBackground()
  return (
    <Section id="accounts" intro={text("optionsAccountsIntro")}>
      <ul class="site-cards">
        {state.accounts.map((account) => (
          <AccountCard key={account.id} account={account} state={state} onState={onState} />
        ))}
      </ul>
      <div class="part">
        <NameForm
          entry={{ id: "account-new", kind: "name", label: text("accountNew") }}
          submit={text("accountAdd")}
          done={text("accountAdded")}
          send={({ name }) => background.ask({ type: "page.addAccount", name })}
          onDone={onState}
        />
      </div>
    </Section>
  )
}
