/**
 * Whether the browser may delete the extension's saved data when the disk runs out of space, and the request not to. Only pages can request it.
 * Chrome decides at once by itself; Firefox asks its user and answers after they have. Without a click, it is requested only once.
 */
import { useEffect, useState } from "preact/hooks"

/** `unknown` if the browser does not say. */
type Protection = "protected" | "unprotected" | "unknown"

const of = (isProtected: Promise<boolean>): Promise<Protection> =>
  isProtected.then(
    (is) => (is ? "protected" : "unprotected"),
    () => "unknown",
  )

// An older browser, or one that stores nothing at all, does not have this API.
const look = async (): Promise<Protection> => of(navigator.storage.persisted())
const ask = async (): Promise<Protection> => of(navigator.storage.persist())
const orUnknown = (asked: Promise<Protection>): Promise<Protection> => asked.catch(() => "unknown" as const)

/** Marks that protection was requested without a click. Kept in the storage of the pages, because it does not concern any account. */
const mark = "protectionAsked"

export interface Protecting {
  /** Null until the browser has answered. */
  readonly protection: Protection | null
  /** Whether the browser has been asked and has not answered yet: it may be asking its user. */
  readonly isAsking: boolean
  /** Requests protection after a click. */
  readonly ask: () => void
}

/** Tracks the browser's answer. Once `isDue`, protection is requested without a click, if that was never done before. */
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
