/**
 * Whether the browser may delete what the extension has saved when the disk runs out of space, and asking it not to. Only pages can ask. Chrome
 * decides at once and by itself; Firefox asks its user, and answers when they have. Nobody is asked twice without a click.
 */
import { useEffect, useState } from "preact/hooks"

/** `unknown` where the browser does not say. */
type Protection = "protected" | "unprotected" | "unknown"

const of = (isProtected: Promise<boolean>): Promise<Protection> =>
  isProtected.then(
    (is) => (is ? "protected" : "unprotected"),
    () => "unknown",
  )

// An older browser, or one that keeps nothing at all, has no such thing.
const look = async (): Promise<Protection> => of(navigator.storage.persisted())
const ask = async (): Promise<Protection> => of(navigator.storage.persist())
const orUnknown = (asked: Promise<Protection>): Promise<Protection> => asked.catch(() => "unknown" as const)

/** That it was asked for without a click, once for all. In the storage of the pages, because it says nothing of any account. */
const mark = "protectionAsked"

export interface Protecting {
  /** Null until the browser has said. */
  readonly protection: Protection | null
  /** Whether the browser has been asked and has not answered yet: it may be asking its user. */
  readonly isAsking: boolean
  /** Asks the browser, after a click. */
  readonly ask: () => void
}

/** Follows what the browser says. Once `isDue`, it is asked without a click, if that was never done before. */
export const useProtection = (isDue = false): Protecting => {
  const [protection, setProtection] = useState<Protection | null>(null)
  const [isAsking, setAsking] = useState(false)
  const askNow = (): void => {
    setAsking(true)
    void orUnknown(ask()).then((answer) => {
      setAsking(false)
      setProtection(answer)
    })
  }
  useEffect(() => void orUnknown(look()).then(setProtection), [])
  useEffect(() => {
    if (!isDue || protection !== "unprotected" || localStorage.getItem(mark) !== null) return
    localStorage.setItem(mark, "yes")
    askNow()
  }, [isDue, protection])
  return { protection, isAsking, ask: askNow }
}
