/** Takes a contract along: as text, or as a row for a spreadsheet. Copying with nothing selected takes the text too. */
import { useEffect } from "preact/hooks"
import type { ContractDetail } from "../../../messages/PageMessage.ts"
import { Icon } from "../../kit/Icon.tsx"
import { text } from "../../kit/Message.ts"
import { toRow, toText } from "./Record.ts"

export const CopyMenu = ({
  detail,
  onSaid,
}: {
  readonly detail: ContractDetail
  /** Takes what is to be said when it was copied, or was not. */
  readonly onSaid: (said: string) => void
}) => {
  const copy = (what: string, said: string): void => {
    onSaid("")
    void navigator.clipboard.writeText(what).then(
      () => onSaid(said),
      () => onSaid(`${text("copyFailed")} ${text("copyFailedAdvice")}`),
    )
  }
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
      <button type="button" class="button" onClick={() => copy(toText(detail), text("copiedText"))}>
        <Icon name="copy" />
        {text("detailCopyText")}
      </button>
      <button type="button" class="button" onClick={() => copy(toRow(detail), text("copiedRow"))}>
        <Icon name="table" />
        {text("detailCopyRow")}
      </button>
    </p>
  )
}
