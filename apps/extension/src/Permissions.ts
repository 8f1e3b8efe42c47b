/**
 * What the extension asks the browser for at install, each permission with the reason for it. The manifest is made from this list, so nothing
 * is asked for without a reason. Sites and the service's address are not here: they are asked for one by one, by the user's click.
 */

/** By the permission's name in the manifest. */
export const permissions = {
  storage:
    "Memory that ends with the browser's session: the key, where that was chosen, and what each tab was told. Nothing is written to disk by it.",
  alarms: "Walks at the chosen interval, and walks that go on after the browser has stopped the background.",
  scripting: "Badges on the sites that were granted, and on no other.",
  activeTab:
    "The popup shows the contracts of the page on which it was opened, also on a site that was not granted.",
} as const
