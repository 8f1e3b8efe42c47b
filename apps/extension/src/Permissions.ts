/**
 * What the extension asks the browser for, at install or later, each permission with the reason for it. The manifest is made from these lists, so
 * nothing is asked for without a reason. Sites and the service's address are not here: they are asked for one by one, by the user's click.
 */

/** At install, by the permission's name in the manifest. */
export const permissions = {
  storage:
    "Keeps data in memory until the browser's session ends: the key, if the user chose that; what each tab was told and how much it asked for; and how far a read is while the disk is full. It writes nothing to disk.",
  alarms:
    "Starts reads at the chosen interval, of everything or of the first page if that shows what is new; and resumes reads after the browser has stopped the background.",
  scripting:
    "Draws badges on the sites that were granted, and once on another page if the user asks for them there. On a granted site it reads the addresses of links and the titles of their cards, for badges and for the popup's list of the page; also all links of a page, when the popup offers badges for them or the user tests an address in the options; and, when the user links listings of a page by hand, the titles (up to 160 characters) and texts (up to 400) of at most 500 of its cards.",
  activeTab:
    "The popup shows the contracts of the page on which it was opened, even on a site that was not granted, and draws badges there once if the user asks for them.",
  contextMenus:
    "Looks up a link or a selected text in the contracts that were read, from the browser's own menu.",
} as const

/** What one browser needs beside that. */
export const permissionsOf = {
  chrome: {
    sidePanel:
      "Shows the popup's page at the side of the window, where it stays while the user looks at other pages.",
  },
  firefox: {},
} as const

/** What is asked for when the user turns on what needs it, and given back when that is turned off. */
export const optionalPermissions = {
  notifications:
    "Shows one notification after a read in which watched contracts changed, with their number and nothing else about them. The switch in the options asks for this permission, and gives it back.",
} as const
