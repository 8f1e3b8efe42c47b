/** The first rows of the file that would be made. The worker reads them again whenever a choice or the index changes. */
import { useEffect, useState } from "preact/hooks"
import type { Chosen, Preview as Rows } from "../../export/ExportMessage.ts"
import { text } from "../kit/Message.ts"
import type { ExportWorker, StartWorker } from "./Worker.ts"

/** Milliseconds without a change before the rows are read: each letter that is typed is one. */
const quietMillis = 250

export const Preview = ({
  account,
  chosen,
  preset,
  revision,
  startWorker,
}: {
  readonly account: string
  readonly chosen: Chosen
  readonly preset: string
  /** Changes with the index. */
  readonly revision: string
  readonly startWorker: StartWorker
}) => {
  const [shown, setShown] = useState<{ readonly of: string; readonly preview: Rows } | null>(null)
  const wanted = JSON.stringify([account, chosen, preset, revision])
  useEffect(() => {
    let worker: ExportWorker | null = null
    const timer = setTimeout(() => {
      worker = startWorker(
        (notice) => {
          worker?.end()
          setShown(notice._tag === "Preview" ? { of: wanted, preview: notice } : null)
        },
        () => setShown(null),
        account,
      )
      worker.post({ _tag: "Preview", chosen, preset, language: text("language") })
    }, quietMillis)
    return () => {
      clearTimeout(timer)
      worker?.end()
    }
  }, [wanted, startWorker])
  // Its room is kept, so that no button moves when the rows come.
  if (shown === null) return <div class="export-preview" />
  const { headings, rows } = shown.preview
  if (rows.length === 0) {
    return (
      <div class="export-preview">
        <p class="quiet">{text("exportPreviewNone")}</p>
      </div>
    )
  }
  return (
    <div
      class="export-preview"
      role="region"
      tabIndex={0}
      aria-label={text("exportPreview")}
      aria-busy={shown.of !== wanted}
    >
      <table>
        <caption class="quiet">{text("exportPreview")}</caption>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>
                  <bdi>{cell}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
