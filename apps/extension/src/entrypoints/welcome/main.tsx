/** The first steps, registered with the browser. */
import { browser } from "wxt/browser"
import { text } from "../../ui/kit/Message.ts"
import * as Page from "../../ui/kit/Page.tsx"
import * as Background from "../../ui/state/Background.ts"
import { telling } from "../../ui/state/TestWords.ts"
import { Welcome } from "../../ui/welcome/Welcome.tsx"
import "../../ui/kit/theme.css"
import "../../ui/kit/pages.css"

const closeTab = async (): Promise<void> => {
  const tab = await browser.tabs.getCurrent()
  if (tab?.id !== undefined) await browser.tabs.remove(tab.id)
}

Page.prepare("welcomeTitle")
Page.show(<Welcome onClose={() => void closeTab()} />, Background.make(telling(text)))
