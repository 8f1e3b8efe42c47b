/**
 * Hooks that keep a page in step with what changes outside of it: the background's state, the time, and an action that is under way.
 */
import { createContext } from "preact"
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import { actionError } from "../../failures/ActionFailure.ts"
import { isUserError } from "../../messages/UserError.ts"
import type { UserError } from "../../messages/UserError.ts"
import type { Background } from "./Background.ts"
import * as Message from "../kit/Message.ts"
import * as Theme from "./Theme.ts"

/** The background of the page; set once at the root. */
export const BackgroundContext = createContext<Background | null>(null)

export const useBackground = (): Background => {
  const background = useContext(BackgroundContext)
  if (background === null) throw new Error("a page without a background")
  return background
}

/**
 * The state, null until the background has said it, and a way to put in what an answer said. A page that has something to show without it asks
 * for it once that is painted.
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

/** The present in milliseconds, renewed at an interval, so that ages grow while they are looked at. */
export const useNow = (everyMillis = 10_000): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMillis)
    return () => clearInterval(timer)
  }, [everyMillis])
  return now
}

const noAnswer = (): UserError => actionError(Message.text, "NoAnswer")

export interface Action<Answer> {
  readonly isBusy: boolean
  readonly error: UserError | null
  /** Runs it unless it is running already, and passes a successful answer on. */
  readonly run: (work: () => Promise<Answer | UserError>) => void
  readonly forget: () => void
}

/** One action of a page: busy, then done or failed. A background that does not answer is an error too. */
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
