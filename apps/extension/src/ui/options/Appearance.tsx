/** Appearance settings: the theme of the extension's own pages, what a listing's own page shows, and the number on the toolbar. */
import type { Settings, Theme } from "../../messages/AppState.ts"
import { Choice } from "../forms/Choice.tsx"
import { useChange } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Switch } from "../kit/Button.tsx"
import { Section } from "../kit/Frame.tsx"

export const Look = ({ state, onState }: StateProps) => {
  const setting = useChange(onState)
  const set = (settings: Partial<Settings>): void => setting.ask({ type: "page.setSettings", settings })
  return (
    <Section id="look">
      <div class="part">
        <Choice<Theme>
          name="theme"
          label={text("themeLabel")}
          isInline
          chosen={state.settings.theme}
          options={[
            { value: "system", label: text("themeSystem") },
            { value: "light", label: text("themeLight") },
            { value: "dark", label: text("themeDark") },
          ]}
          onChoose={(theme) => set({ theme })}
        />
      </div>
      <div class="part">
        <Switch isOn={state.settings.pill} onChange={(pill) => set({ pill })}>
          {text("pillLabel")}
        </Switch>
        <p class="entry-hint">{text("pillHint")}</p>
      </div>
      <div class="part">
        <Switch isOn={state.settings.toolbarCount} onChange={(toolbarCount) => set({ toolbarCount })}>
          {text("toolbarLabel")}
        </Switch>
        <p class="entry-hint">{text("toolbarHint")}</p>
      </div>
      <ErrorNotice error={setting.error} />
    </Section>
  )
}
