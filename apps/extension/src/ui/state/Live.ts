/**
 * Hooks that keep a page up to date: the background's state, the time, and a running action.
 */
import { createContext } from "preact"
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import { actionError } from "../../failures/ActionFailure.ts"
import type { PageRequest } from "../../messages/Requests.ts"
import { isUserError } from "../../messages/PageMessage.ts"
import type { UserError } from "../../messages/PageMessage.ts"
import type { Background } from "./Background.ts"
import * as Message from "../kit/Message.ts"
import * as Theme from "./Theme.ts"

/** What a part of a page gets that shows the state and changes it. */
export interface StateProps {
  readonly state: AppState
  readonly onState: (state: AppState) => void
}

/** The background of the page; set once at the root. */
export const BackgroundContext = createContext<Background | null>(null)

export const useBackground = (): Background => {
  const background = useContext(BackgroundContext)
  if (background === null) throw new Error("a page without a background")
  return background
}

/**
 * The state, null until the background has sent it, and a setter for the state of an answer. A page that can show something without the state
 * requests it after the first paint.
 */
export const useAppState = (
  isLater = false,
): readonly [state: AppState | null, setState: (state: AppState) => void] => {
  const background = useBackground()
  const [state, setState] = useState<AppState | null>(null)
  const watch = () => background.watch(setState)
  useLayoutEffect(() => (isLater ? undefined : watch()), [background])
  useEffect(() => (isLater ? watch() : undefined), [background])
  useEffect(() => {
    if (state !== null) Theme.follow(state.settings.theme)
  }, [state])
  return [state, setState]
}

/** The current time in milliseconds, updated at an interval, so that displayed ages stay current. */
export const useNow = (everyMillis = 10_000): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMillis)
    return () => clearInterval(timer)
  }, [everyMillis])
  return now
}

/**
 * What a read of the index gives: null until it is known, `failed` if it cannot be read. Read again when one of `on` changes; until then the
 * earlier answer stays.
 */
export const useRead = <A>(read: () => Promise<A>, on: ReadonlyArray<unknown>): A | "failed" | null => {
  const [answer, setAnswer] = useState<A | "failed" | null>(null)
  useEffect(() => {
    let isWanted = true
    void read()
      .catch(() => "failed" as const)
      .then((found) => {
        if (isWanted) setAnswer(() => found)
      })
    return () => {
      isWanted = false
    }
  }, on)
  return answer
}

const noAnswer = (): UserError => actionError(Message.text, "NoAnswer")

export interface Action<Answer> {
  readonly isBusy: boolean
  readonly error: UserError | null
  /** Runs the action unless it is already running, and passes on a successful answer. */
  readonly run: (work: () => Promise<Answer | UserError>) => void
  readonly forget: () => void
}

/** One action of a page: busy, then done or failed. No answer from the background is also an error. */
export const useAction = <Answer>(onDone: (answer: Answer) => void): Action<Answer> => {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<UserError | null>(null)
  const latest = useRef(onDone)
  latest.current = onDone
  const running = useRef(false)
  const mounted = useRef(true)
  useEffect(
    () => () => {
      mounted.current = false
    },
    [],
  )
  const run = useCallback((work: () => Promise<Answer | UserError>) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setError(null)
    void work()
      .catch(noAnswer)
      .then((answer) => {
        running.current = false
        if (!mounted.current) return
        setBusy(false)
        if (isUserError(answer)) setError(answer)
        else latest.current(answer)
      })
  }, [])
  return { isBusy, error, run, forget: () => setError(null) }
}

/** Requests that are answered with the state after them. */
type Change = Exclude<PageRequest, { readonly type: "page.refresh" | "page.readSettings" }>

/** An action that asks the background for a change. */
export const useChange = (
  onState: (state: AppState) => void,
): Action<AppState> & { readonly ask: (request: Change) => void } => {
  const background = useBackground()
  const action = useAction(onState)
  return { ...action, ask: (request) => action.run(() => background.ask(request)) }
}
