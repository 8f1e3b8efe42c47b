/**
 * What the extension asks the browser for, at install or later, each permission with the reason for it. The manifest is made from these lists, so
 * nothing is asked for without a reason. Sites and the service's address are not here: they are asked for one by one, by the user's click.
 */

/** At install, by the permission's name in the manifest. */
export const permissions = {
  storage:
    "Memory that ends with the browser's session: the key, where that was chosen, what opens the lock while it is open, what each tab was told and how much it asked for, and how far a read is while the disk is full. Nothing is written to disk by it.",
  alarms:
    "Reads at the chosen interval, of everything or of the first page where that shows what is new; reads that resume after the browser has stopped the background, and the lock after some minutes without use.",
  scripting:
    "Badges on the sites that were granted, and on no other; and there, when the user asks for it, the choice of a link that becomes a pattern.",
  activeTab:
    "The popup shows the contracts of the page on which it was opened, also on a site that was not granted, and its badges once where asked for.",
  contextMenus:
    "Looks a link or a selected text up in the contracts that were read, from the browser's own menu.",
} as const

/** What one browser needs beside that. */
export const permissionsOf = {
  chrome: {
    sidePanel: "The popup's page at the side of the window, where it stays while other pages are looked at.",
  },
  firefox: {},
} as const

/** What is asked for when the user turns on what needs it, and given back when that is turned off. */
export const optionalPermissions = {
  notifications:
    "One notification after a read in which watched contracts changed, with their number and nothing else of them. Asked for by the switch in the options, and given back by it.",
} as const
