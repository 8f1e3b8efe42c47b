/**
 * The number of API keys that need attention, for the popup. It is read from the service at most once a day, because keys seldom change, and only the
 * number is saved. A key that may not list keys gives 0; this is not a failure, and is not requested again until the next day.
 */
import type { AppState } from "../../messages/AppState.ts"
import type { Background } from "../state/Background.ts"
import * as KeyFindings from "./KeyFindings.ts"

interface Kept {
  readonly account: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly keys: number
}

const place = "keys"
const dayMillis = 86_400_000

/** Identifies an account without a secret; null if nothing is set up. */
export const accountOf = ({ baseUrl, keyHint }: Pick<AppState, "baseUrl" | "keyHint">): string | null =>
  baseUrl === null || keyHint === null ? null : `${baseUrl} ${keyHint}`

const recall = (account: string, now: number): number | null => {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? "null") as Kept | null
    return kept?.account === account && Math.abs(now - kept.at) < dayMillis ? kept.keys : null
  } catch {
    return null
  }
}

/** Saves the number of keys that need attention. */
export const keep = (account: string, now: number, keys: number): void => {
  const kept: Kept = { account, at: now, keys }
  localStorage.setItem(place, JSON.stringify(kept))
}

/** The saved number if it is recent enough, otherwise a new one. */
export const count = async (background: Background, account: string, now: number): Promise<number> => {
  const known = recall(account, now)
  if (known !== null) return known
  const answer = await background.ask({ type: "page.apiKeys" }).catch(() => null)
  if (answer === null) return 0
  const keys = "_tag" in answer ? 0 : KeyFindings.of(answer.apiKeys, new Date(now)).length
  keep(account, now, keys)
  return keys
}
