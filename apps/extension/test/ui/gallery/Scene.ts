/** A page of the extension in one of its states: what the gallery takes pictures of, and what is looked over for everybody who uses it. */
import type { PageCard } from "../../../src/messages/TabMessage.ts"
import type { World } from "../desk/FakeBackground.ts"
import type { Visit } from "./Visit.ts"

/** Named as the folders of the messages are. */
export type Language = "en" | "el" | "pt_PT"

export interface Scene {
  readonly page: "popup" | "sidepanel" | "options" | "welcome" | "export"
  /** Names the picture, such as `offline` in `popup-offline-dark.png`. */
  readonly name: string
  readonly world: World
  /** The address of the tab in front; null when the browser keeps it to itself. */
  readonly tab?: string | null
  /** The links that are read from it. */
  readonly links?: ReadonlyArray<string>
  /** The listings of its page; none unless said. */
  readonly cards?: ReadonlyArray<PageCard>
  /** Query and fragment of the page. */
  readonly address?: string
  /** Whether the browser's user allows what the page asks for; true unless said. */
  readonly isAllowed?: boolean
  /** Whether the browser protects what is saved; true unless said. */
  readonly isProtected?: boolean
  /** Width and height in pixels; the popup's own size or 1000 by 800 unless said. */
  readonly size?: readonly [width: number, height: number]
  /** Whether a finger points, as on a phone, whose browser has no keys; a mouse and keys unless said. */
  readonly isTouched?: boolean
  readonly direction?: "ltr" | "rtl"
  /** The language of the messages; English unless said. What `act` looks for has English names. */
  readonly language?: Language
  /** Brings the page into the state, by the ways of its users. */
  readonly act?: (visit: Visit) => Promise<void>
  /** Whether a picture of it is kept. Every scene is looked over. */
  readonly isPictured?: boolean
}

/** The present of every scene. */
export const now = "2026-03-01T14:20:00Z"
