/**
 * The part of the content script that draws marks. It is loaded with the first link that may lead to a listing, whatever is known about that
 * listing: a page can find where the places without a mark are, and that reveals nothing about contracts.
 */
import { make } from "./Marks.ts"
import styles from "./marks.css?inline"

export const engine = { make, styles }

export type Engine = typeof engine
