/**
 * What the content script draws marks with. It comes into a page with the first link that may lead to a listing, whatever is known of it: where
 * the places without a mark are, which a page can find, says nothing of contracts.
 */
import { make } from "./Marks.ts"
import styles from "./marks.css?inline"

export const engine = { make, styles }

export type Engine = typeof engine
