/** The export page, registered with the browser. */
import { render } from "preact"
import { browser } from "wxt/browser"
import * as Background from "../../ui/state/Background.ts"
import * as Focus from "../../ui/kit/Focus.ts"
import { ExportPage } from "../../ui/export/ExportPage.tsx"
import * as Worker from "../../ui/export/Worker.ts"
import { BackgroundContext } from "../../ui/state/Live.ts"
import * as Message from "../../ui/kit/Message.ts"
import * as Theme from "../../ui/state/Theme.ts"
import "../../ui/kit/theme.css"
import "../../ui/kit/pages.css"
import "../../ui/export/export.css"

Theme.recall()
Focus.keep()
Message.introduce("exportTitle")
render(
  <BackgroundContext.Provider value={Background.make()}>
    <ExportPage
      madeBy={`Deedkit extension ${browser.runtime.getManifest().version}`}
      startWorker={Worker.start}
      copy={(text) => navigator.clipboard.writeText(text)}
    />
  </BackgroundContext.Provider>,
  document.body,
)
