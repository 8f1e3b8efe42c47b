/** Addresses of the popup's page, which say what it is opened about. Texts of users are cut to the part that is read. */
import type { ExtensionPage } from "../BrowserNames.ts"

const mostCharacters = 200

/** Addresses that are longer than this are not read. */
const longestAddress = 2_000

export const ofContract = (id: number): ExtensionPage => `/popup.html?contract=${id}`

export const ofListing = (reference: string): ExtensionPage =>
  `/popup.html?listing=${encodeURIComponent(reference)}`

/** A search whose text is in the search box. */
export const ofSearch = (text: string): ExtensionPage =>
  `/popup.html?find=${encodeURIComponent(text.trim().replace(/\s+/g, " ").slice(0, mostCharacters))}`

/** A link whose listing the page itself looks up. Only for the popup under the button: windows and tabs would appear in the history. */
export const ofLink = (address: string): ExtensionPage | null =>
  address.length > longestAddress ? null : `/popup.html?link=${encodeURIComponent(address)}`

/** The same page as the popup under the button. */
export const asPopup = (page: ExtensionPage): ExtensionPage => `${page}&in=popup` as ExtensionPage
