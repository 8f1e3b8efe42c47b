/** Does much work in small portions, each in a frame of its own, so that a page never waits for all of it. */

/** Calls `act` with each item, `portion` of them a frame; what is left is dropped once `isWanted` says no. */
export const spread = <A>(
  items: ReadonlyArray<A>,
  portion: number,
  act: (item: A) => void,
  isWanted: () => boolean,
): void => {
  let at = 0
  const step = (): void => {
    if (!isWanted()) return
    const end = Math.min(items.length, at + portion)
    while (at < end) act(items[at++]!)
    if (at < items.length) requestAnimationFrame(step)
  }
  step()
}
