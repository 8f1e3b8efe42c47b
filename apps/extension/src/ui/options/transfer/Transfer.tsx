/**
 * Exports and imports settings for another browser, in a file without any key. An imported file is checked by its size before it is read, then shown
 * with everything that it would change, and imported on a further click.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { SettingsPreview as Preview } from "../../../messages/AccountMessage.ts"
import { accountLimits } from "../../../messages/AccountMessage.ts"
import type { AppState } from "../../../messages/AppState.ts"
import * as SettingsFile from "../../../messages/SettingsFile.ts"
import { actionError } from "../../../failures/ActionFailure.ts"
import type { UserError } from "../../../messages/UserError.ts"
import { Done } from "../../forms/Entry.tsx"
import * as Grants from "../../state/Grants.ts"
import { useAction, useBackground } from "../../state/Live.ts"
import { number, text } from "../../kit/Message.ts"
import { saveFile } from "../../kit/SaveFile.ts"
import { ErrorNotice } from "../../advice/Notice.tsx"
import { between } from "./SettingsChanges.ts"
import { SettingsPreview } from "./SettingsPreview.tsx"
import { Section } from "../../kit/Section.tsx"

const fileName = "deedkit-settings.json"

/** A chosen file, with a preview of its effect. */
interface Chosen {
  readonly content: string
  readonly preview: Preview
  readonly allowed: ReadonlySet<string>
}

export const Transfer = ({
  state,
  onState,
}: {
  readonly state: AppState
  readonly onState: (state: AppState) => void
}) => {
  const background = useBackground()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [isImported, setImported] = useState(false)
  const looking = useAction<Chosen>(setChosen)
  // The answer can arrive after the preview was closed.
  const lookingAgain = useAction<Chosen>((fresh) => setChosen((shown) => (shown === null ? null : fresh)))
  const importing = useAction<AppState>((after) => {
    setImported(true)
    setChosen(null)
    onState(after)
  })

  const look = async (content: string): Promise<Chosen | UserError> => {
    const preview = await background.ask({ type: "page.previewSettings", text: content })
    if ("_tag" in preview) return preview
    const { origins } = between(state, preview)
    const answers = await Promise.all(origins.map(Grants.isAllowed))
    return { content, preview, allowed: new Set(origins.filter((_origin, at) => answers[at])) }
  }
  const read = async (file: File): Promise<Chosen | UserError> => {
    const { mostFile } = accountLimits
    if (file.size > mostFile) return actionError(text, "FileTooLarge", [], [number(mostFile / 1_000)])
    const content = await file.text().catch(() => null)
    return content === null ? actionError(text, "FileInvalid") : look(content)
  }

  const wasChosen = useRef(false)
  useLayoutEffect(() => {
    if (wasChosen.current && chosen === null) input.current?.focus()
    wasChosen.current = chosen !== null
  }, [chosen])

  // The current settings can change in the meantime: in another window, or because permission for a site was granted.
  const basis = JSON.stringify([state.accounts, state.sites, state.settings])
  useEffect(() => {
    if (chosen !== null) lookingAgain.run(() => look(chosen.content))
  }, [basis])

  return (
    <Section id="transfer" intro={text("optionsTransferIntro")}>
      <div class="part">
        <p class="form-end">
          <button type="button" class="button" onClick={() => saveFile(fileName, SettingsFile.write(state))}>
            {text("transferSave")}
          </button>
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
            disabled={looking.isBusy || importing.isBusy}
            aria-describedby="transfer-hint"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              setChosen(null)
              setImported(false)
              importing.forget()
              lookingAgain.forget()
              if (file !== undefined) looking.run(() => read(file))
              currentTarget.value = ""
            }}
          />
          <p id="transfer-hint" class="entry-hint">
            {text("transferHint")}
          </p>
        </div>
        {chosen === null ? null : (
          <SettingsPreview
            changes={between(state, chosen.preview)}
            allowed={chosen.allowed}
            leftOut={chosen.preview.leftOut}
            isBusy={lookingAgain.isBusy || importing.isBusy}
            onImport={() =>
              importing.run(() => background.ask({ type: "page.importSettings", text: chosen.content }))
            }
            onCancel={() => setChosen(null)}
          />
        )}
        <Done>{isImported ? text("transferImported") : null}</Done>
        <ErrorNotice error={looking.error ?? lookingAgain.error ?? importing.error} />
      </div>
    </Section>
  )
}
