/** The source of the export: contracts from the index as it is or after a new sync, or API keys, which are always requested. */
import type { AppState } from "../../messages/AppState.ts"
import * as Age from "../kit/Age.ts"
import { Choice } from "../forms/Choice.tsx"
import { plural, text } from "../kit/Message.ts"
import type { Form } from "./Form.ts"
import { Part } from "./Part.tsx"

const lastRead = ({ completedAt, contracts }: AppState["index"], now: number): string =>
  completedAt === null
    ? plural("exportNeverRead", contracts)
    : plural("exportRead", contracts, Age.age(completedAt, now, "long"), Age.moment(completedAt))

export const Source = ({
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
  <Part id="what" title={text("exportWhat")}>
    <div class="part">
      <Choice
        name="table"
        label={text("exportTable")}
        isInline
        options={[
          { value: "contracts", label: text("contracts") },
          { value: "keys", label: text("exportKeys") },
        ]}
        chosen={form.table}
        onChoose={(table) => onForm({ ...form, table })}
      />
      {form.table === "keys" || form.picked.length === 0 ? null : (
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
      {form.table === "keys" ? (
        <p class="quiet">{text("exportKeysFrom")}</p>
      ) : (
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
      )}
    </div>
  </Part>
)
