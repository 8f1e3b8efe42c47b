/** Schemas and the open client stay out of programs that do not use them. */
import { rolldown } from "rolldown"
import { describe, expect, it } from "vitest"

/** The modules of a bundled program that have code in it, by the ends of their paths. */
const modulesOf = async (source: string): Promise<ReadonlyArray<string>> => {
  const program = "\0program.ts"
  const bundle = await rolldown({
    input: program,
    platform: "browser",
    resolve: { conditionNames: ["@deedkit/source", "import", "default"] },
    plugins: [
      {
        name: "program",
        async resolveId(id) {
          if (id === program) return id
          return id.startsWith("@deedkit/") ? (await this.resolve(id, import.meta.filename))?.id : null
        },
        load: (id) => (id === program ? source : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: "esm" })
  return Object.entries(output[0].modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([id]) => id.replaceAll("\\", "/"))
}

const optional = /\/core\/src\/(?:client\/open|model\/schema)\/|\/effect\/dist\/Schema\w*\.js$/

describe("a program", () => {
  it.each([
    ["of the promise entry, whole", `export * from "@deedkit/core/promise"`],
    [
      "of the Effect entry that makes a client",
      `import { ClientError, Contract, PropertyClient } from "@deedkit/core"
       globalThis.made = [PropertyClient.make, PropertyClient.layer, Contract.isContract, ClientError.match]`,
    ],
  ])("%s, has no Schema and no open client", async (_, source) => {
    const modules = await modulesOf(source)
    expect(modules.length).toBeGreaterThan(50)
    expect(modules.filter((id) => optional.test(id))).toEqual([])
  })

  it.each([
    [`export { ContractSchema } from "@deedkit/core"`, "/model/schema/ContractSchema.ts"],
    [`export { of } from "@deedkit/core/open"`, "/client/open/OpenClient.ts"],
    [`export { open } from "@deedkit/core/promise-open"`, "/client/open/OpenPromiseClient.ts"],
  ])("has them when it asks for them: %s", async (source, path) => {
    const modules = await modulesOf(source)
    expect(modules.some((id) => id.endsWith(path))).toBe(true)
    expect(modules.some((id) => optional.test(id))).toBe(true)
  })
})
