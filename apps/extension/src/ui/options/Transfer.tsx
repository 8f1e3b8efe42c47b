/**
 * Exports and imports settings for another browser, in a file without any key. A chosen file is checked by its size before it is read; what it holds
 * is shown, and imported on a further click.
 */
import { accountLimits } from "../../messages/AppState.ts"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { actionError } from "../../failures/ActionFailure.ts"
import type { SettingsFile } from "../../messages/SettingsFile.ts"
import * as SettingsText from "../../messages/SettingsText.ts"
import { isUserError } from "../../messages/PageMessage.ts"
import type { UserError } from "../../messages/PageMessage.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Done } from "../forms/Entry.tsx"
import { number, plural, text } from "../kit/Message.ts"
import { Section } from "../kit/Frame.tsx"
import type { Background } from "../state/Background.ts"
import { useAction, useBackground, useChange } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import { Button } from "../kit/Button.tsx"

const fileName = "deedkit-settings.json"

/** Makes the browser save a text as a JSON file. */
const saveFile = (name: string, content: string): void => {
  const address = URL.createObjectURL(new Blob([content], { type: "application/json" }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

interface Chosen {
  readonly content: string
  readonly file: SettingsFile
}

const read = async (background: Background, file: File): Promise<Chosen | UserError> => {
  const { mostFile } = accountLimits
  if (file.size > mostFile) return actionError(text, "FileTooLarge", [], [number(mostFile / 1_000_000)])
  const content = await file.text().catch(() => "")
  const known = await background.ask({ type: "page.readSettings", text: content })
  return isUserError(known) ? known : { content, file: known }
}

/** An address as browsers use it, in which letters of another alphabet cannot imitate a known name. */
const asUsed = (address: string): string => (URL.canParse(address) ? new URL(address).href : address)

/** What a file holds, and the one question whether to import it. */
const Question = ({
  file: { accounts, sites },
  isBusy,
  onImport,
  onCancel,
}: {
  readonly file: SettingsFile
  readonly isBusy: boolean
  readonly onImport: () => void
  readonly onCancel: () => void
}) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const addressed = accounts.flatMap(({ baseUrl, links = [], name }) =>
    baseUrl === null ? [] : [{ name, address: asUsed(baseUrl), links: links.length }],
  )
  const origins = sites.map(({ origin, patterns }) => ({
    address: asUsed(origin),
    patterns: patterns.length,
  }))
  const isForeign = [...addressed, ...origins].some(({ address }) => address.includes("xn--"))
  return (
    <div
      class="preview"
      role="group"
      aria-labelledby="transfer-question"
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel()
      }}
    >
      <h3 id="transfer-question" ref={heading} tabIndex={-1}>
        {text("transferQuestion")}
      </h3>
      <ul class="goods" tabIndex={0} aria-label={text("transferHolds")}>
        {addressed.map(({ address, links, name }, at) => (
          <li key={at}>
            <bdi>{name}</bdi> <bdi dir="ltr">{address}</bdi>
            {links === 0 ? null : <span class="quiet"> {plural("linkedPages", links)}</span>}
          </li>
        ))}
        {origins.map(({ address, patterns }, at) => (
          <li key={at}>
            <bdi dir="ltr">{address}</bdi>
            {patterns === 0 ? null : <span class="quiet"> {plural("patterns", patterns)}</span>}
          </li>
        ))}
        <li>{text("clearSettings")}</li>
      </ul>
      {isForeign ? <p class="form-loss">{text("transferForeign")}</p> : null}
      <p class="form-end">
        <Button kinds="main" disabled={isBusy} onClick={onImport}>
          {text(isBusy ? "busy" : "transferImport")}
        </Button>
        <Button onClick={onCancel}>{text("keepIt")}</Button>
      </p>
    </div>
  )
}

export const Transfer = ({ state, onState }: StateProps) => {
  const background = useBackground()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [isImported, setImported] = useState(false)
  const reading = useAction<Chosen>(setChosen)
  const importing = useChange((after) => {
    setImported(true)
    setChosen(null)
    onState(after)
  })
  const wasChosen = useRef(false)
  useLayoutEffect(() => {
    if (wasChosen.current && chosen === null) input.current?.focus()
    wasChosen.current = chosen !== null
  }, [chosen])

  return (
    <Section id="transfer" intro={text("optionsTransferIntro")}>
      <div class="part">
        <p class="form-end">
          <Button onClick={() => saveFile(fileName, SettingsText.write(state))}>
            {text("transferSave")}
          </Button>
        </p>
        <div class="entry">
          <label class="entry-name" for="transfer-file">
            {text("transferTake")}
          </label>
          <input
            ref={input}
            id="transfer-file"
            class="entry-box"
            type="file"
            accept="application/json,.json"
            disabled={reading.isBusy || importing.isBusy}
            aria-describedby="transfer-hint"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              setChosen(null)
              setImported(false)
              importing.forget()
              if (file !== undefined) reading.run(() => read(background, file))
              currentTarget.value = ""
            }}
          />
          <p id="transfer-hint" class="entry-hint">
            {text("transferHint")}
          </p>
        </div>
        {chosen === null ? null : (
          <Question
            file={chosen.file}
            isBusy={importing.isBusy}
            onImport={() => importing.ask({ type: "page.importSettings", text: chosen.content })}
            onCancel={() => setChosen(null)}
          />
        )}
        <Done>{isImported ? text("transferImported") : null}</Done>
        <ErrorNotice error={reading.error ?? importing.error} />
      </div>
    </Section>
  )
}
