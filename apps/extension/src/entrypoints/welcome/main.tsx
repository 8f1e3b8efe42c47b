/** The first steps, hung up on the browser. */
import { render } from "preact"
import { browser } from "wxt/browser"
import * as Background from "../../ui/Background.ts"
import * as Focus from "../../ui/Focus.ts"
import { BackgroundContext } from "../../ui/Live.ts"
import * as Message from "../../ui/Message.ts"
import "../../ui/theme.css"
import "../../ui/pages.css"
import * as Theme from "../../ui/Theme.ts"
import { Welcome } from "../../ui/welcome/Welcome.tsx"

const closeTab = async (): Promise<void> => {
  const tab = await browser.tabs.getCurrent()
  if (tab?.id !== undefined) await browser.tabs.remove(tab.id)
}

Theme.recall()
Focus.keep()
Message.introduce("welcomeTitle")
render(
  <BackgroundContext.Provider value={Background.make()}>
    <Welcome onClose={() => void closeTab()} />
  </BackgroundContext.Provider>,
  document.body,
)
