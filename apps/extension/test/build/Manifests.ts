/** The manifest, member by member. Whoever changes what the extension may do changes it here, too, on purpose. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { commandNames } from "../../src/browser-ui/Commands.ts"
import { permissions, permissionsOf } from "../../src/Permissions.ts"
import type { Built } from "./Output.ts"
import { filesOf } from "./Output.ts"

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types deedkit",
]

const icons = {
  "16": "icon/16.png",
  "32": "icon/32.png",
  "48": "icon/48.png",
  "96": "icon/96.png",
  "128": "icon/128.png",
}

const ofEvery = {
  manifest_version: 3,
  name: "__MSG_extensionName__",
  description: "__MSG_extensionDescription__",
  version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  default_locale: "en",
  icons,
  optional_permissions: ["notifications"],
  optional_host_permissions: ["https://*/*"],
  content_security_policy: { extension_pages: policy.join("; ") },
  action: { default_title: "__MSG_extensionAction__", default_popup: "popup.html" },
  commands: {
    _execute_action: { suggested_key: { default: "Alt+Shift+D" } },
    "toggle-badges": { suggested_key: { default: "Alt+Shift+L" }, description: "__MSG_commandBadges__" },
    sync: { suggested_key: { default: "Alt+Shift+U" }, description: "__MSG_commandSync__" },
    "open-export": { suggested_key: { default: "Alt+Shift+E" }, description: "__MSG_commandExport__" },
  },
  omnibox: { keyword: "deed" },
  options_ui: { page: "options.html", open_in_tab: true },
}

const asked = ["storage", "alarms", "scripting", "activeTab", "contextMenus"]

const ofBrowser = {
  chrome: {
    permissions: [...asked, "sidePanel"],
    minimum_chrome_version: "123",
    background: { service_worker: "background.js" },
    side_panel: { default_path: "sidepanel.html" },
  },
  firefox: {
    permissions: asked,
    sidebar_action: { default_panel: "sidepanel.html", default_title: "Deedkit", open_at_install: false },
    background: { scripts: ["background.js"] },
    browser_specific_settings: {
      gecko: {
        id: "extension@deedkit",
        strict_min_version: "142.0",
        data_collection_permissions: { required: ["authenticationInfo"] },
      },
      gecko_android: { strict_min_version: "142.0" },
    },
  },
}

interface Manifest {
  readonly permissions: ReadonlyArray<string>
  readonly icons: Readonly<Record<string, string>>
  readonly commands: Readonly<Record<string, unknown>>
}

export const manifests = ({ browser, folder }: Built): void => {
  const read = async (): Promise<Manifest> =>
    JSON.parse(await readFile(join(folder(), "manifest.json"), "utf8")) as Manifest

  it("asks for these permissions and no others, requires no site, and opens no file to web pages", async () => {
    expect(await read()).toEqual({ ...ofEvery, ...ofBrowser[browser] })
  })

  it("has a written reason for each permission", async () => {
    const reasons = { ...permissions, ...permissionsOf[browser] }
    expect(Object.keys(reasons)).toEqual((await read()).permissions)
    for (const reason of Object.values(reasons)) expect(reason).toMatch(/^[A-Z].{30,}\.$/)
  })

  it("has the commands that the extension knows", async () => {
    expect(Object.keys((await read()).commands)).toEqual(commandNames)
  })

  it("names files that are there", async () => {
    const paths = (await filesOf(folder())).map(({ path }) => path)
    const named = [
      ...Object.values(icons),
      "background.js",
      "listing.js",
      "details.js",
      "popup.html",
      "options.html",
    ]
    expect(paths).toEqual(expect.arrayContaining([...named, "welcome.html", "_locales/en/messages.json"]))
    expect(paths.filter((path) => path.endsWith(".map"))).toEqual([])
  })
}
