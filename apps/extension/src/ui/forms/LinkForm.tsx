/** The template for the address of a contract in the service's own pages. If it is empty, there is no such button. */
import { useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import * as ServiceLink from "../state/ServiceLink.ts"
import { text } from "../kit/Message.ts"
import { EntryForm } from "./EntryForm.tsx"

export const LinkForm = ({ baseUrl, state }: { readonly baseUrl: string; readonly state: AppState }) => {
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
