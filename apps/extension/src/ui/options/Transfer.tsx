/** Settings to another browser and from one: a file without any key, and what it has brought. */
import { useState } from "preact/hooks"
import type { Imported } from "../../messages/AccountMessage.ts"
import { accountLimits } from "../../messages/AccountMessage.ts"
import type { AppState } from "../../messages/AppState.ts"
import type { PageAnswers } from "../../messages/PageMessage.ts"
import * as SettingsFile from "../../messages/SettingsFile.ts"
import { useAction, useBackground } from "../Live.ts"
import { plural, text } from "../Message.ts"
import { Refused } from "../Notice.tsx"
import { Section } from "./Section.tsx"

type Taken = Exclude<PageAnswers["page.importSettings"], { readonly _tag: "Refused" }>

const fileName = "deedkit-settings.json"

/** Has the browser save a file. */
const save = (content: string): void => {
  const address = URL.createObjectURL(new Blob([content], { type: "application/json" }))
  const link = document.createElement("a")
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** What a file has brought, one line each. */
const linesOf = ({ accounts, accountsKnown, sites, sitesChanged }: Imported): ReadonlyArray<string> => [
  text("transferChoices"),
  ...(accounts === 0 ? [] : [plural("transferAccounts", accounts)]),
  ...(accountsKnown === 0 ? [] : [plural("transferAccountsKnown", accountsKnown)]),
  ...(sites === 0 ? [] : [plural("transferSites", sites)]),
  ...(sitesChanged === 0 ? [] : [plural("transferSitesChanged", sitesChanged)]),
]

export const Transfer = ({
  state,
  onState,
}: {
  readonly state: AppState
  readonly onState: (state: AppState) => void
}) => {
  const background = useBackground()
  const [imported, setImported] = useState<Imported | null>(null)
  const taking = useAction<Taken>((taken) => {
    setImported(taken.imported)
    onState(taken.state)
  })
  const take = (file: File): void => {
    setImported(null)
    taking.run(async () =>
      file.size > accountLimits.mostFile
        ? { _tag: "Refused", message: text("refusedFile"), advice: text("adviceFile") }
        : background.ask({ type: "page.importSettings", text: await file.text() }),
    )
  }
  return (
    <Section id="transfer" intro={text("optionsTransferIntro")}>
      <div class="part">
        <p class="form-end">
          <button type="button" class="button" onClick={() => save(SettingsFile.write(state))}>
            {text("transferSave")}
          </button>
        </p>
        <div class="entry">
          <label class="entry-name" for="transfer-file">
            {text("transferTake")}
          </label>
          <input
            id="transfer-file"
            class="entry-box"
            type="file"
            accept="application/json,.json"
            disabled={taking.isBusy}
            aria-describedby="transfer-hint"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (file !== undefined) take(file)
              currentTarget.value = ""
            }}
          />
          <p id="transfer-hint" class="entry-hint">
            {text("transferHint")}
          </p>
        </div>
        <div role="status">
          {imported === null ? null : (
            <ul class="goods">
              {linesOf(imported).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
        </div>
        <Refused refusal={taking.refusal} />
      </div>
    </Section>
  )
}
