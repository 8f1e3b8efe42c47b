/** The export page, registered with the browser. */
import { browser } from "wxt/browser"
import { ExportPage } from "../../ui/export/ExportPage.tsx"
import * as Worker from "../../ui/export/Worker.ts"
import * as Page from "../../ui/kit/Page.tsx"
import "../../ui/kit/theme.css"
import "../../ui/kit/pages.css"
import "../../ui/export/export.css"

Page.prepare("exportTitle")
Page.show(
  <ExportPage
    madeBy={`Deedkit extension ${browser.runtime.getManifest().version}`}
    startWorker={Worker.start}
    copy={(text) => navigator.clipboard.writeText(text)}
  />,
)
