/** The first steps, registered with the browser. */
import { render } from "preact"
import { browser } from "wxt/browser"
import * as Background from "../../ui/state/Background.ts"
import { telling } from "../../ui/state/TestWords.ts"
import * as Focus from "../../ui/kit/Focus.ts"
import { BackgroundContext } from "../../ui/state/Live.ts"
import * as Message from "../../ui/kit/Message.ts"
import "../../ui/kit/theme.css"
import "../../ui/kit/pages.css"
import * as Theme from "../../ui/state/Theme.ts"
import { Welcome } from "../../ui/welcome/Welcome.tsx"

const closeTab = async (): Promise<void> => {
  const tab = await browser.tabs.getCurrent()
  if (tab?.id !== undefined) await browser.tabs.remove(tab.id)
}

Theme.recall()
Focus.keep()
Message.introduce("welcomeTitle")
render(
  <BackgroundContext.Provider value={Background.make(telling(Message.text))}>
    <Welcome onClose={() => void closeTab()} />
  </BackgroundContext.Provider>,
  document.body,
)
