/**
 * For the bundler: decides which modules of the pages share a file. By default, the bundler makes a file for every set of modules that the same
 * pages have in common: dozens of a few hundred bytes, which are found, read and packed one by one. Modules of only one page stay in its own file.
 */
import type { Plugin } from "vite"

interface SharedFile {
  readonly name: string
  /** Modules in the file, together with those of their imports that no earlier file in the list has. */
  readonly modules: RegExp
}

const files: ReadonlyArray<SharedFile> = [
  // What every page begins with, and no more than the popup needs for its first rows.
  {
    name: "kit",
    modules:
      /\/ui\/(?:advice\/\w+|kit\/(?:Focus|IconButton|Later)|state\/(?:Background|Live|Tab|Theme))\.tsx?$|\/ui\/kit\/theme\.css$|virtual:wxt-html-plugins$/,
  },
  { name: "popup", modules: /\/entrypoints\/popup\/main\.tsx$/ },
  // What the popup needs later, and other pages too.
  {
    name: "parts",
    modules:
      /\/ui\/(?:export\/Picked|forms\/Choice|kit\/S\w+|lock\/\w+|popup\/AccountBar|state\/(?:AccountName|S\w+|Teaching)|sync\/\w+)\.tsx?$/,
  },
  { name: "keys", modules: /\/ui\/audit\/KeyLook\.ts$/ },
  { name: "patterns", modules: /\/ui\/options\/sites\/(?:Derive|Recipe)\.ts$/ },
  // What the popup shows below its first rows, for what is typed, and beside its list.
  { name: "below", modules: /\/ui\/popup\/(?:Footer|search\/Filters)\.tsx$/ },
  { name: "typed", modules: /\/ui\/popup\/search\/(?:Commands|Highlight|Link)\.tsx?$/ },
  { name: "beside", modules: /\/ui\/popup\/(?:Aside|changes\/Changes|onpage\/OnPage)\.tsx$/ },
  { name: "forms", modules: /\/ui\/(?:forms\/\w+|state\/Protection)\.tsx?$/ },
]

export const sharedChunks = (): Plugin => ({
  name: "shared-chunks",
  outputOptions: (options) =>
    options.format === "es" && options.codeSplitting !== false
      ? {
          ...options,
          codeSplitting: {
            groups: files.map(({ modules, name }, at) => ({
              name,
              test: (id: string) => modules.test(id.replaceAll("\\", "/")),
              priority: files.length - at,
            })),
          },
        }
      : null,
})
