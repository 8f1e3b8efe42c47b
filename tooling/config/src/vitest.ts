/**
 * The settings of every test in the workspace: one project per folder, sources instead of builds. The `@deedkit/source` condition makes imports
 * between packages resolve to `src`, so that no test needs a build.
 */
import { readdirSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import type { TestProjectInlineConfiguration, ViteUserConfig } from "vitest/config"
import { BaseSequencer } from "vitest/node"
import type { TestSpecification } from "vitest/node"

const conditions = ["@deedkit/source", "node"]

/** Settings of a project that replace the common ones. */
type Own = NonNullable<TestProjectInlineConfiguration["test"]>

interface Options {
  /** Folders with more than one project, or with a project that has its own settings. */
  readonly projects?: { readonly [folder: string]: ReadonlyArray<Own> }
  /** The test files of a project that does not name its own; by default all in its folder `test`. */
  readonly include?: ReadonlyArray<string>
  /** The files that a project leaves out unless it names its own; by default those that vitest leaves out. */
  readonly exclude?: ReadonlyArray<string>
  /** Files that start first, in this order. The longest file determines the total time, so it should not start last. */
  readonly startsFirst?: ReadonlyArray<RegExp>
  /** Milliseconds until a test or a hook fails; a minute by default. */
  readonly timeout?: number
  /** Number of test files that run at the same time; by default one less than the number of cores. */
  readonly workers?: (cores: number) => number
}

/** Every workspace folder that holds a `test` folder. */
const foldersOf = (root: string): ReadonlyArray<string> =>
  ["packages", "apps", "tooling"].flatMap((room) =>
    readdirSync(join(root, room), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readdirSync(join(root, room, entry.name)).includes("test"))
      .map((entry) => `${room}/${entry.name}`),
  )

/** A vitest project for each folder, named like its package. Its files share workers, so a file must not leave globals behind. */
const projects = (
  root: string,
  { exclude, include = ["test/**/*.test.ts"], projects: own = {} }: Options,
): Array<TestProjectInlineConfiguration> =>
  foldersOf(root).flatMap((folder) => {
    const { name }: { name: string } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
    const usual: Own = {
      name,
      include: [...include],
      isolate: false,
      ...(exclude === undefined ? {} : { exclude: [...exclude] }),
    }
    return (own[folder] ?? [{}]).map((test) => ({
      extends: true as const,
      root: join(root, folder),
      test: { ...usual, ...test },
    }))
  })

/** Vitest's own order, except for the files that start first. */
const sequencer = (startsFirst: ReadonlyArray<RegExp>) =>
  class extends BaseSequencer {
    override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
      const place = ({ moduleId }: TestSpecification): number => {
        const at = startsFirst.findIndex((pattern) => pattern.test(moduleId))
        return at === -1 ? startsFirst.length : at
      }
      const sorted = await BaseSequencer.prototype.sort.call(this, files)
      return sorted.toSorted((one, other) => place(one) - place(other))
    }
  }

/** A root configuration. */
export const make = (root: string, options: Options = {}): ViteUserConfig => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: projects(root, options),
    sequence: { sequencer: sequencer(options.startsFirst ?? []) },
    ...(options.workers === undefined ? {} : { maxWorkers: options.workers(availableParallelism()) }),
    testTimeout: options.timeout ?? 60_000,
    hookTimeout: options.timeout ?? 60_000,
    // What is waited for comes at once on an idle machine; the usual second is too short on one that does other work.
    expect: { poll: { timeout: 20_000 } },
  },
})
