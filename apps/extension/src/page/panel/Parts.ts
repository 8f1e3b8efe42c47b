/** What the content script has shown where it shows details: it comes into a page with the first badge or panel. */
import * as Card from "./Card.ts"
import * as CardBox from "./CardBox.ts"
import * as Panel from "./Panel.ts"
import styles from "./details.css?inline"

export const parts = { watch: Card.make, card: CardBox.draw, panel: Panel.make, styles }

export type Parts = typeof parts
