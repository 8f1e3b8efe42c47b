/** What the extension needs to reach the service: address, key and its storage, and the connection test. */
import type { AppState } from "../../messages/AppState.ts"
import { AddressForm } from "../forms/AddressForm.tsx"
import { Confirm } from "../forms/Confirm.tsx"
import { KeyForm, KeyHint, KeyStorage } from "../forms/KeyForm.tsx"
import { Stages } from "../forms/Trial.tsx"
import type { Trial } from "../forms/Trial.tsx"
import { useChange } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Section } from "../kit/Frame.tsx"
import { useState } from "preact/hooks"
import * as ServiceLink from "../state/ServiceLink.ts"
import { EntryForm } from "../forms/EntryForm.tsx"
import { Button } from "../kit/Button.tsx"

/** The template for the address of a contract in the service's own pages. If it is empty, there is no such button. */
const LinkForm = ({ baseUrl, state }: { readonly baseUrl: string; readonly state: AppState }) => {
  const [kept, setKept] = useState(() => ServiceLink.template(baseUrl))
  return (
    <EntryForm<{ readonly _tag: "Usable"; readonly template: string }>
      done={text("linkKept")}
      entry={{
        id: "contract-link",
        label: text("linkLabel"),
        hint: text("linkHint", "{id}"),
        placeholder: "https://app.homes.example/contracts/{id}",
      }}
      initial={kept}
      isOnly={false}
      read={(typed) => {
        const template = typed.trim()
        return template === "" || ServiceLink.isTemplate(template)
          ? { _tag: "Usable", template }
          : { _tag: "Unusable", problem: "linkInvalid" }
      }}
      send={({ template }) => {
        ServiceLink.keep(baseUrl, template)
        setKept(template)
        return Promise.resolve(state)
      }}
      submit={text("linkKeep")}
      onDone={() => {}}
    />
  )
}

const StoredKey = ({ hint, onState }: { readonly hint: string; readonly onState: StateProps["onState"] }) => {
  const forgetting = useChange(onState)
  return (
    <div class="stored-key">
      <p>
        <KeyHint hint={hint} />
      </p>
      <Confirm
        first={text("keyForget")}
        question={text("keyForgetQuestion")}
        second={text("keyForgetYes")}
        isBusy={forgetting.isBusy}
        onConfirm={() => forgetting.ask({ type: "page.forgetKey" })}
      >
        <p>{text("keyForgetMeaning")}</p>
      </Confirm>
      <ErrorNotice error={forgetting.error} />
    </div>
  )
}

const Test = ({ state, trial }: { readonly state: AppState; readonly trial: Trial }) => (
  <div class="part" id="connection">
    <h3 tabIndex={-1}>{text("testTitle")}</h3>
    <p class="part-intro">{text("testIntro")}</p>
    <Stages trial={trial.state} />
    <p class="form-end">
      <Button disabled={state.baseUrl === null || trial.state._tag === "Running"} onClick={trial.start}>
        {trial.state._tag === "NotRun" ? text("testStart") : text("testAgain")}
      </Button>
      {state.baseUrl === null ? <span class="quiet">{text("testAfterAddress")}</span> : null}
    </p>
  </div>
)

export const Service = ({ state, onState, trial }: StateProps & { readonly trial: Trial }) => {
  const changed = (after: AppState): void => {
    trial.forget()
    onState(after)
  }
  return (
    <Section id="service" intro={text("optionsServiceIntro")}>
      <div class="part">
        <AddressForm state={state} submit={text("addressKeep")} onDone={changed} />
      </div>
      <div class="part">
        {state.keyHint === null ? null : <StoredKey hint={state.keyHint} onState={changed} />}
        {state.baseUrl === null ? (
          <p class="quiet">{text("keyAfterAddress")}</p>
        ) : (
          <KeyForm state={state} submit={text("keyKeep")} onDone={changed} />
        )}
        <KeyStorage state={state} onState={onState} />
      </div>
      {state.baseUrl === null ? null : (
        <div class="part">
          <LinkForm key={state.baseUrl} baseUrl={state.baseUrl} state={state} />
        </div>
      )}
      <Test state={state} trial={trial} />
    </Section>
  )
}
