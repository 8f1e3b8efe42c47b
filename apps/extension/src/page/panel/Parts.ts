/** The part of the content script that shows details. It is loaded into a page with the first badge or panel. */
import type { Channel } from "../lookup/Channel.ts"
import type { Marks } from "../marks/Marks.ts"
import * as Answers from "./Answers.ts"
import * as Card from "./Card.ts"
import * as CardBox from "./CardBox.ts"
import * as Panel from "./Panel.ts"
import styles from "./details.css?inline"

interface Source extends Pick<Card.CardSource, "load"> {
  readonly marks: Marks
  /** The user's choices for the panel now: another value once they have changed. */
  readonly chosen: () => Panel.Chosen
}

export const parts = {
  /** Makes the panel and the card, and answers the extension's pages, until the signal ends it. */
  show: (channel: Channel, root: ShadowRoot, source: Source, signal: AbortSignal) => {
    Answers.give(root, source.marks, signal)
    return { panel: Panel.make(channel, root, source.chosen), hideCard: Card.make(source, signal) }
  },
  card: CardBox.draw,
  styles,
}

export type Parts = typeof parts
