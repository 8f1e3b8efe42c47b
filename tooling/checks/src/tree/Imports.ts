/** What the specifier of an import names: a file, a package, or one of Node's own modules. Does not check that it exists. */
import { posix } from "node:path"

export const isRelative = (specifier: string): boolean => /^\.\.?(?:\/|$)/.test(specifier)

/** The package that a specifier names: `@deedkit/core` of `@deedkit/core/node`. Null for relative ones, Node's own and a package's own (`#`). */
export const packageOf = (specifier: string): string | null =>
  isRelative(specifier) || specifier.startsWith("node:") || specifier.startsWith("#")
    ? null
    : specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/")

/** The path that a relative specifier in this file leads to. */
export const resolve = (path: string, specifier: string): string => posix.join(posix.dirname(path), specifier)
