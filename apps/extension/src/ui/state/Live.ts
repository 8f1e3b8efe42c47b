/**
 * Hooks that keep a page in step with what changes outside of it: the background's state, the time, and an action that is under way.
 */
import { createContext } from "preact"
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import type { Refusal } from "../../messages/PageMessage.ts"
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

/** The state, null until the background has said it, and a way to put in what an answer said. */
export const useAppState = (): readonly [AppState | null, (state: AppState) => void] => {
  const background = useBackground()
  const [state, setState] = useState<AppState | null>(null)
  useLayoutEffect(() => background.watch(setState), [background])
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

/** An answer that may be a refusal. */
const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === "object" && answer !== null && "_tag" in answer && answer._tag === "Refused"

const noAnswer = (): Refusal => ({
  _tag: "Refused",
  message: Message.text("noAnswer"),
  advice: Message.text("noAnswerAdvice"),
})

export interface Action<Answer> {
  readonly isBusy: boolean
  readonly refusal: Refusal | null
  /** Runs it, unless it is running; hands what is not a refusal to the receiver. */
  readonly run: (work: () => Promise<Answer | Refusal>) => void
  readonly forget: () => void
}

/** One action of a page: busy, then done or refused with a reason. What fails in any other way is a refusal too. */
export const useAction = <Answer>(onDone: (answer: Answer) => void): Action<Answer> => {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
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
  const run = useCallback((work: () => Promise<Answer | Refusal>) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setRefusal(null)
    void work()
      .catch(noAnswer)
      .then((answer) => {
        running.current = false
        if (!mounted.current) return
        setBusy(false)
        if (isRefusal(answer)) setRefusal(answer)
        else latest.current(answer)
      })
  }, [])
  return { isBusy, refusal, run, forget: () => setRefusal(null) }
}
