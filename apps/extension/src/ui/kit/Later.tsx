/** A part of a page that is read when the page already stands: its code is a file of its own, and nothing waits for it. */
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
