/** Copies a contract as text or as a row for a spreadsheet, or opens it at the service. Copying with nothing selected also copies the text. */
import { useEffect } from "preact/hooks"
import type { ContractDetail } from "../../../messages/PageMessage.ts"
import { Icon } from "../../kit/Icon.tsx"
import { text } from "../../kit/Message.ts"
import { copy } from "./Copying.tsx"
import type { Say } from "./Copying.tsx"
import { toRow, toText } from "./Record.ts"

export const CopyMenu = ({
  detail,
  link,
  onSaid,
}: {
  readonly detail: ContractDetail
  /** The contract's address at the service; null if the user has set no template for it. */
  readonly link: string | null
  readonly onSaid: Say
}) => {
  useEffect(() => {
    const onCopy = (event: ClipboardEvent): void => {
      if (event.clipboardData === null || !(document.getSelection()?.isCollapsed ?? true)) return
      event.clipboardData.setData("text/plain", toText(detail))
      event.preventDefault()
      onSaid(text("copiedText"))
    }
    document.addEventListener("copy", onCopy)
    return () => document.removeEventListener("copy", onCopy)
  }, [detail, onSaid])
  return (
    <p class="copy-menu">
      {link === null ? null : (
        <a class="button button-main" href={link} target="_blank" rel="noreferrer">
          {text("detailOpen")}
          <Icon name="out" />
        </a>
      )}
      <button type="button" class="button" onClick={() => copy(toText(detail), text("copiedText"), onSaid)}>
        <Icon name="copy" />
        {text("detailCopyText")}
      </button>
      <button type="button" class="button" onClick={() => copy(toRow(detail), text("copiedRow"), onSaid)}>
        <Icon name="table" />
        {text("detailCopyRow")}
      </button>
    </p>
  )
}
