/**
 * Registers shortcuts, menus, address bar and toolbar with the browser. All listeners are added immediately, so that a background that the
 * browser wakes for an event receives it. Firefox for Android has no shortcuts, menus and keywords, Safari no keywords.
 */
import { browser } from "wxt/browser"
import type { Background } from "../background/Background.ts"
import type { Service as Platform } from "../background/Platform.ts"
import * as PageIndex from "../index/PageIndex.ts"
import * as Shell from "./Shell.ts"
import * as Commands from "./Commands.ts"
import * as Menus from "./Menus.ts"
import * as Omnibox from "./Omnibox.ts"
import type { Toolbar } from "./Toolbar.ts"

/** Delay after which the toolbar reads the state: the request that has woken the background is answered first. */
const toolbarAfterMillis = 500

export interface BrowserUi {
  readonly background: Background
  readonly platform: Platform
  readonly shell: Shell.Shell
  readonly toolbar: Toolbar
}

export const attach = ({ background, platform, shell, toolbar }: BrowserUi): void => {
  const index = PageIndex.make()

  browser.runtime.onInstalled.addListener(() => void shell.setMenu(Menus.items(shell)))
  browser.contextMenus?.onClicked.addListener(({ linkUrl, menuItemId, selectionText }, tab) => {
    const windowId = tab?.windowId ?? null
    void Menus.choose(index, shell, { item: menuItemId, linkUrl, selection: selectionText, windowId })
  })
  browser.commands?.onCommand.addListener((name, tab) => {
    const front = Shell.frontTab(tab)
    void (async () =>
      Commands.run(background.ask, shell, name, front ?? (await Shell.inFront()), platform.allowsLoopback))()
  })
  browser.omnibox?.onInputStarted.addListener(
    () => void browser.omnibox.setDefaultSuggestion({ description: Omnibox.hint(shell) }),
  )
  browser.omnibox?.onInputChanged.addListener((typed, suggest) => {
    void Omnibox.suggest(index, shell, typed).then((found) => suggest([...found]))
  })
  browser.omnibox?.onInputEntered.addListener(
    (entered, disposition) => void Omnibox.enter(index, shell, entered, disposition),
  )
  const openChanges = (): void => {
    void shell.endNotification()
    void shell.openWindow("/popup.html?changes")
  }
  // There are no notifications until the user turns them on.
  const hearNotifications = (): void => browser.notifications?.onClicked.addListener(openChanges)
  hearNotifications()
  browser.permissions.onAdded.addListener(hearNotifications)
  setTimeout(() => background.follow((state) => void toolbar.take(state)), toolbarAfterMillis)
}
