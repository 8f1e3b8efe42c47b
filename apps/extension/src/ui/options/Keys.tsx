/**
 * The keyboard shortcuts: what each does, its current keys in the browser, and a link to the browser's own page for changing them.
 */
import { useEffect, useState } from "preact/hooks"
import type { MessageName } from "../../BrowserNames.ts"
import type { CommandName } from "../../browser-ui/Commands.ts"
import { Icon } from "../kit/Icon.tsx"
import { text } from "../kit/Message.ts"
import * as Shortcuts from "../state/Shortcuts.ts"
import { Section } from "../kit/Frame.tsx"
import { Button } from "../kit/Button.tsx"

const meanings = {
  _execute_action: "commandPopup",
  "toggle-badges": "commandBadges",
  sync: "commandSync",
  "open-export": "commandExport",
} as const satisfies { readonly [Name in CommandName]: MessageName }

const isKnown = (name: string): name is CommandName => Object.hasOwn(meanings, name)

export const Keys = () => {
  const [commands, setCommands] = useState<ReadonlyArray<Shortcuts.Shortcut>>([])
  useEffect(() => Shortcuts.watch(setCommands), [])
  return (
    <Section id="keys" intro={text("optionsKeysIntro")}>
      <dl class="shortcuts">
        {commands.map(({ keys, name }) =>
          isKnown(name) ? (
            <div key={name}>
              <dt>{text(meanings[name])}</dt>
              <dd>{keys === "" ? <span class="quiet">{text("keysUnset")}</span> : <kbd>{keys}</kbd>}</dd>
            </div>
          ) : null,
        )}
      </dl>
      <div class="part">
        <Button onClick={() => void Shortcuts.openSettings()}>
          {text("keysChange")}
          <Icon name="out" />
        </Button>
        <p class="entry-hint">{text("keysOmnibox")}</p>
      </div>
    </Section>
  )
}
