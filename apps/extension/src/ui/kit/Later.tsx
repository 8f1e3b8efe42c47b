/** Parts of a page that are read when the page already stands: their code is a file of its own, and nothing waits for it. */
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"

/** The part; nothing until it has come, and nothing if it does not come. */
export const later = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  let known: ComponentType<Props> | null = null
  return (props) => {
    const [Part, setPart] = useState(() => known)
    useEffect(() => {
      if (Part === null)
        void load().then(
          (loaded) => setPart(() => (known = loaded)),
          () => {},
        )
    }, [])
    return Part === null ? null : <Part {...props} />
  }
}

/** A module once it is wanted and has come; null until then. Both stay: what was wanted once is not read again. */
export const useLoaded = <Module,>(isWanted: boolean, load: () => Promise<Module>): Module | null => {
  const [loaded, setLoaded] = useState<{ readonly module: Module } | null>(null)
  useEffect(() => {
    if (isWanted && loaded === null)
      void load().then(
        (module) => setLoaded({ module }),
        () => {},
      )
  }, [isWanted])
  return loaded?.module ?? null
}
