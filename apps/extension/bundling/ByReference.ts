/**
 * For the bundler: makes values of Effect compare and hash by reference. Nothing in the extension compares two of them by content, and the code
 * that does is read each time the browser starts the background. Equal causes of one failure are then each kept, which is nowhere visible.
 */
import type { Plugin } from "vite"

interface Replaced {
  readonly path: RegExp
  /** The exports of the module that the replacement knows. */
  readonly exports: ReadonlyArray<string>
  readonly code: string
}

const modules: ReadonlyArray<Replaced> = [
  {
    path: /[\\/]effect[\\/]dist[\\/]Equal\.js$/,
    exports: [
      "symbol",
      "equals",
      "makeCompareMap",
      "makeCompareSet",
      "isEqual",
      "asEquivalence",
      "byReference",
      "byReferenceUnsafe",
    ],
    code: `export const symbol = "~effect/Equal"
export function equals(one, other) {
  return arguments.length === 1 ? (that) => that === one : one === other
}
export const makeCompareMap = () => equals
export const makeCompareSet = () => equals
export const isEqual = () => false
export const asEquivalence = () => equals
export const byReference = (value) => value
export const byReferenceUnsafe = (value) => value
`,
  },
  {
    path: /[\\/]effect[\\/]dist[\\/]Hash\.js$/,
    exports: [
      "symbol",
      "hash",
      "random",
      "combine",
      "optimize",
      "isHash",
      "number",
      "string",
      "structureKeys",
      "structure",
      "array",
    ],
    code: `export const symbol = "~effect/Hash"
export const hash = () => 0
export const random = () => 0
export const combine = () => hash
export const optimize = () => 0
export const isHash = () => false
export const number = () => 0
export const string = () => 0
export const structureKeys = () => 0
export const structure = () => 0
export const array = () => 0
`,
  },
]

export const byReference = (): Plugin => ({
  name: "by-reference",
  enforce: "pre",
  transform(code, id) {
    const replaced = modules.find(({ path }) => path.test(id.split("?", 1)[0]!))
    if (replaced === undefined) return null
    const exported = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    if (exported.join() !== replaced.exports.join()) {
      this.error(`${id} has other exports now: write them here, too.`)
    }
    return { code: replaced.code, map: null }
  },
})
