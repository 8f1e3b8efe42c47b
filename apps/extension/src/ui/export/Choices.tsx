/** What the export page asks for: which contracts, how fresh they are, and a preset for the file. */
import { presets } from "../../export/Presets.ts"
import type { AppState } from "../../messages/AppState.ts"
import { Choice } from "../forms/Choice.tsx"
import { Entry } from "../forms/Entry.tsx"
import * as Age from "../kit/Age.ts"
import { plural, text } from "../kit/Message.ts"
import type { Form } from "./Form.ts"
import { Section } from "../kit/Section.tsx"

const lastRead = ({ completedAt, contracts }: AppState["index"], now: number): string =>
  completedAt === null
    ? plural("exportNeverRead", contracts)
    : plural("exportRead", contracts, Age.age(completedAt, now, "long"), Age.moment(completedAt))

export const Choices = ({
  form,
  state,
  now,
  onForm,
}: {
  readonly form: Form
  readonly state: AppState
  readonly now: number
  readonly onForm: (form: Form) => void
}) => (
  <>
    <Section id="what" title="contracts">
      <div class="part">
        {form.picked.length === 0 ? null : (
          <Choice
            name="which"
            label={text("exportWhich")}
            options={[
              { value: "picked", label: plural("exportPicked", form.picked.length) },
              { value: "all", label: text("exportAll") },
            ]}
            chosen={form.isAll ? "all" : "picked"}
            onChoose={(which) => onForm({ ...form, isAll: which === "all" })}
          />
        )}
        <Entry
          id="search"
          kind="code"
          label={text("exportSearch")}
          placeholder="status:active city:lisbon"
          hint={text("exportSearchHint")}
          value={form.search}
          onType={(search) => onForm({ ...form, search })}
        />
        <Choice
          name="fresh"
          label={text("exportFrom")}
          options={[
            { value: "index", label: text("exportAsRead"), meaning: lastRead(state.index, now) },
            { value: "fresh", label: text("exportFresh"), meaning: text("exportFreshMeaning") },
          ]}
          chosen={form.isFresh ? "fresh" : "index"}
          onChoose={(from) => onForm({ ...form, isFresh: from === "fresh" })}
        />
      </div>
    </Section>
    <Section id="file" title="exportFile">
      <div class="part">
        <Choice
          name="preset"
          label={text("exportFormat")}
          options={presets.map(({ label, meaning, name }) => ({
            value: name,
            label: text(label),
            meaning: text(meaning),
          }))}
          chosen={form.preset}
          onChoose={(preset) => onForm({ ...form, preset })}
        />
      </div>
    </Section>
  </>
)
