/** The file: its format, its headings and the zone of its times. */
import type { FormatFacts } from "../../export/ExportMessage.ts"
import { Choice } from "../forms/Choice.tsx"
import { text } from "../kit/Message.ts"
import type { Form } from "./Form.ts"
import { Part } from "./Part.tsx"

/** The user's own time zone. */
const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export const FilePart = ({
  form,
  formats,
  onForm,
}: {
  readonly form: Form
  readonly formats: ReadonlyArray<FormatFacts>
  readonly onForm: (form: Form) => void
}) => {
  const zone = ownZone()
  return (
    <Part id="file" title={text("exportFile")}>
      <div class="part">
        <Choice
          name="format"
          label={text("exportFormat")}
          options={formats.map(({ label, meaning, name }) => ({
            value: name,
            label: text(label),
            meaning: text(meaning),
          }))}
          chosen={form.format}
          onChoose={(format) => onForm({ ...form, format })}
        />
      </div>
      <div class="part">
        <Choice
          name="headings"
          label={text("exportHeadings")}
          isInline
          options={[
            { value: "labels", label: text("exportLabels") },
            { value: "api", label: text("exportApiNames") },
          ]}
          chosen={form.headings}
          onChoose={(headings) => onForm({ ...form, headings })}
        />
        {zone === "UTC" ? null : (
          <Choice
            name="zone"
            label={text("exportZone")}
            isInline
            options={[
              { value: "UTC", label: text("exportUtc") },
              { value: zone, label: zone },
            ]}
            chosen={form.timeZone}
            onChoose={(timeZone) => onForm({ ...form, timeZone })}
          />
        )}
      </div>
    </Part>
  )
}
