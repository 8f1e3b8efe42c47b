/** Parts of a page that are loaded after the page is rendered: their code is in a separate file, and nothing waits for it. */
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"

/** The part; renders nothing until it is loaded, or if it cannot be loaded. */
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

/** A module, loaded when it is first wanted; null until then. Once loaded, it is kept and not loaded again. */
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
