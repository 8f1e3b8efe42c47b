/** Does much work in small portions, each in a frame of its own, so that a page never waits for all of it. */

/** Calls `act` with each item, `portion` of them a frame; what is left is dropped once `isWanted` says no. */
export const spread = async <A>(
  items: ReadonlyArray<A>,
  portion: number,
  act: (item: A) => void,
  isWanted: () => boolean,
): Promise<void> => {
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % portion === 0) await new Promise(requestAnimationFrame)
    if (!isWanted()) return
    act(item)
  }
}
