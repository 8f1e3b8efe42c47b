/**
 * The result of an export: the verdict in a sentence, the figures, and the files. The main file is saved automatically once; its link remains for
 * saving it again, and the manifest and the long texts have their own links.
 */
import { useEffect, useMemo, useRef } from "preact/hooks"
import type { Copied, Done, MadeFile } from "../../export/ExportMessage.ts"
import type { MessageName } from "../../BrowserNames.ts"
import { Icon } from "../kit/Icon.tsx"
import { number, plural, text, region } from "../kit/Message.ts"
import { Button } from "../kit/Button.tsx"

const verdicts = {
  complete: "exportComplete",
  partial: "exportPartial",
  unverified: "exportUnverified",
  interrupted: "exportUnverified",
} as const satisfies { readonly [verdict: string]: MessageName }

const Verdict = ({ filters, reasons, verdict }: Pick<Copied, "filters" | "reasons" | "verdict">) => (
  <div class="export-verdict" data-outcome={verdict === "complete" ? "ok" : "warning"}>
    <Icon name={verdict === "complete" ? "ok" : "warning"} />
    <div>
      <p class="verdict">
        {text(verdict === "complete" && filters.length > 0 ? "exportCompleteChosen" : verdicts[verdict])}
      </p>
      {reasons.map((reason) => (
        <p key={reason} class="quiet">
          {reason}
        </p>
      ))}
    </div>
  </div>
)

/** A link that saves a file. It keeps the file in memory as long as it is on the page. */
const Save = ({
  file: { content, name },
  children,
  isMain = false,
}: {
  readonly file: MadeFile
  readonly children: string
  readonly isMain?: boolean
}) => {
  const link = useRef<HTMLAnchorElement>(null)
  const address = useMemo(() => URL.createObjectURL(content), [content])
  useEffect(() => {
    if (isMain) link.current?.click()
    return () => URL.revokeObjectURL(address)
  }, [address, isMain])
  return (
    <a ref={link} class={isMain ? "button button-main" : "button"} href={address} download={name}>
      {children}
    </a>
  )
}

const manifestFile = ({ file, manifest }: Done): MadeFile => ({
  name: `${file.name}.manifest.json`,
  content: new Blob([`${JSON.stringify(manifest, null, 2)}\n`], { type: "application/json" }),
})

const changedCells = ({ manifest }: Done): number =>
  Object.values(manifest.textsChanged)
    .flatMap((columns) => Object.values(columns))
    .reduce((sum, cells) => sum + cells, 0)

export const Made = ({ done }: { readonly done: Done }) => {
  const { file, manifest, sheets, texts } = done
  const beside = useMemo(() => manifestFile(done), [done])
  const [made] = manifest.files
  const changed = changedCells(done)
  const [table] = manifest.tables
  const rows = table?.rows ?? 0
  return (
    <div class="part">
      <Verdict {...manifest} filters={table?.filters ?? []} />
      <dl class="facts">
        <div>
          <dt>{text("exportFactRows")}</dt>
          <dd>{sheets === 1 ? number(rows) : plural("exportOnSheets", sheets, number(rows))}</dd>
        </div>
        <div>
          <dt>{text("exportFactSize")}</dt>
          <dd>{size(made?.bytes ?? 0)}</dd>
        </div>
      </dl>
      <p class="export-hash">
        <span class="quiet">SHA-256</span> <code>{made?.sha256}</code>
      </p>
      {changed === 0 ? null : <p class="quiet">{plural("exportTextsChanged", changed)}</p>}
      {texts === null ? null : <p>{plural("exportLongTexts", manifest.longTexts?.texts ?? 0, texts.name)}</p>}
      <p class="form-end">
        <Save file={file} isMain>
          {text("exportSave", file.name)}
        </Save>
        {texts === null ? null : <Save file={texts}>{text("exportSaveTexts")}</Save>}
        <Save file={beside}>{text("exportSaveManifest")}</Save>
      </p>
    </div>
  )
}

export const OnClipboard = ({
  copied,
  isOnClipboard,
  onCopy,
}: {
  readonly copied: Copied
  readonly isOnClipboard: boolean
  readonly onCopy: () => void
}) => (
  <div class="part">
    <Verdict {...copied} />
    <p>{isOnClipboard ? plural("exportCopied", copied.rows) : plural("exportCopyReady", copied.rows)}</p>
    <p class="form-end">
      <Button kinds={isOnClipboard ? "" : "main"} onClick={onCopy}>
        <Icon name="copy" />
        {isOnClipboard ? text("exportCopyAgain") : text("exportCopyNow")}
      </Button>
    </p>
  </div>
)

const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const

/** A number of bytes for people, such as `3.8 MB`. */
export const size = (bytes: number): string => {
  const step = bytes < 1_000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** step
  return new Intl.NumberFormat(region(), {
    style: "unit",
    unit: units[step] ?? "byte",
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value)
}
