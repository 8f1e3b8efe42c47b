/** The accounts: selecting, renaming and adding them, and removing one with its key and its index. */
import { accountLimits } from "../../messages/AppState.ts"
import { useState } from "preact/hooks"
import type { Account, AppState } from "../../messages/AppState.ts"
import type { UserError } from "../../messages/UserError.ts"
import { accountName } from "../state/AccountName.ts"
import { Confirm } from "../forms/Confirm.tsx"
import { Done, Entry } from "../forms/Entry.tsx"
import { useAction, useBackground, useChange } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Section } from "../kit/Section.tsx"
import { Button } from "../kit/Button.tsx"

/** A form with one name and its purpose. */
const NameForm = ({
  id,
  label,
  submit,
  initial,
  done,
  keep,
  onState,
}: {
  readonly id: string
  readonly label: string
  readonly submit: string
  readonly initial: string
  /** The confirmation after saving. */
  readonly done: string
  readonly keep: (name: string) => Promise<AppState | UserError>
  readonly onState: StateProps["onState"]
}) => {
  const [typed, setTyped] = useState(initial)
  const [isKept, setKept] = useState(false)
  const keeping = useAction<AppState>((after) => {
    setKept(true)
    if (initial === "") setTyped("")
    onState(after)
  })
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        keeping.run(() => keep(typed))
      }}
    >
      <Entry
        id={id}
        kind="code"
        label={label}
        value={typed}
        onType={(value) => {
          setTyped(value.slice(0, accountLimits.mostName))
          setKept(false)
          keeping.forget()
        }}
      />
      <p class="form-end">
        <Button type="submit" disabled={keeping.isBusy}>
          {keeping.isBusy ? text("busy") : submit}
        </Button>
        <Done>{isKept ? done : null}</Done>
      </p>
      <ErrorNotice error={keeping.error} />
    </form>
  )
}

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
            id={`account-${id}`}
            label={text("accountName")}
            submit={text("accountRename")}
            initial={account.name}
            done={text("accountRenamed")}
            keep={(name) => background.ask({ type: "page.renameAccount", id, name })}
            onState={onState}
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
          id="account-new"
          label={text("accountNew")}
          submit={text("accountAdd")}
          initial=""
          done={text("accountAdded")}
          keep={(name) => background.ask({ type: "page.addAccount", name })}
          onState={onState}
        />
      </div>
    </Section>
  )
}
