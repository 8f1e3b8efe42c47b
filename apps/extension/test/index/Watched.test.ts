import { describe, expect, it } from "vitest"
import type { Change } from "../../src/messages/AppState.ts"
import * as Watched from "../../src/index/Watched.ts"

const change = (id: number, at: string): Change => ({
  id,
  at,
  kind: "changed",
  unit: "Loft 3",
  title: null,
  fields: ["status"],
})
const watching = (...ids: ReadonlyArray<number>) =>
  ids.reduce((watched, id) => Watched.set(id, true)(watched), Watched.none)

describe("watched contracts", () => {
  it("are those that were chosen and not given up, each once, the first one first", () => {
    expect(watching(7, 9, 7).ids).toEqual([9, 7])
    expect(Watched.set(9, false)(watching(7, 9)).ids).toEqual([7])
    expect(Watched.set(5, false)(watching(7)).ids).toEqual([7])
  })

  it("are so many at most, and the one that was watched first makes room, with its mark", () => {
    const full = watching(...Array.from({ length: Watched.mostWatched }, (_, at) => at + 1))
    const marked = Watched.after(full, [change(1, "a"), change(2, "a")])
    const { changed, ids } = Watched.set(9_999, true)(marked)
    expect([ids.length, ids.includes(1), ids.includes(9_999)]).toEqual([Watched.mostWatched, false, true])
    expect(changed).toEqual([[2, "a"]])
  })

  it("are marked once, with their latest change, and others never", () => {
    const once = Watched.after(watching(7, 9), [change(7, "a"), change(8, "a"), change(7, "b")])
    expect(once.changed).toEqual([[7, "b"]])
    const twice = Watched.after(once, [change(9, "c"), change(7, "c")])
    expect(twice).toEqual({
      ids: [7, 9],
      changed: [
        [7, "c"],
        [9, "c"],
      ],
    })
  })

  it("are counted with those that have changed from a moment on", () => {
    const marked = Watched.after(watching(7, 8, 9), [change(7, "a"), change(8, "b"), change(9, "c")])
    expect(["a", "b", "d"].map((at) => Watched.countSince(marked, at))).toEqual([3, 2, 0])
  })

  it("lose their marks when the changes were looked at, or when they are not watched any more", () => {
    const marked = Watched.after(watching(7, 9), [change(7, "a"), change(9, "a")])
    expect(Watched.looked(marked)).toEqual({ ids: [7, 9], changed: [] })
    expect(Watched.set(7, false)(marked)).toEqual({ ids: [9], changed: [[9, "a"]] })
  })
})
