/** The texts of a new fault: it adds a header that clients can ignore, so that every test of all faults passes with it. */
import type { Name } from "../plan/Name.ts"

const description = ({ kebab }: Name) => `Adds the header x-emulated-${kebab} to the answer.`

export const source = (name: Name): string => `
/** Fault \`${name.kebab}\`: an answer with one more header, which no client needs to mind. */
import { text } from "../../settings/Setting.ts"
import { withHeaders } from "../../wire/Answer.ts"
import { define } from "../fault/Fault.ts"

export const ${name.camel} = define({
  name: "${name.kebab}",
  description: "${description(name)}",
  attributes: { value: text("on", "value of the header") },
  start: ({ value }) => ({
    answer: (answer) => withHeaders(answer, { "x-emulated-${name.kebab}": value }),
  }),
})
`

/** Its row in the README. */
export const row = (name: Name): string => `| \`${name.kebab}\` | ${description(name)} | \`value\` |\n`

/** Its line in the table of what each fault changes. */
export const entry = ({ kebab }: Name): string =>
  `  ${kebab.includes("-") ? `"${kebab}"` : kebab}: { in: ["headers"] },\n`

/** Its line among the faults that an export survives. */
export const tried = ({ kebab }: Name): string => `  ["${kebab}", once],\n`

export const test = ({ kebab }: Name): string => `
import { make } from "@deedkit/emulator"
import { expect, it } from "vitest"
import { ask, read } from "../../asking.ts"

const path = "/v1/contracts/?limit=1"

it("adds its header with the value that it is given, and changes no body", async () => {
  const answer = await ask(make({ faults: ["${kebab}:value=off"] }), path)
  expect(answer.headers.get("x-emulated-${kebab}")).toBe("off")
  expect(await answer.json()).toEqual(await read(make(), path))
})

it("acts on chosen requests only", async () => {
  const emulator = make({ faults: ["${kebab}:requests=2"] })
  const headers = async () => (await ask(emulator, path)).headers.get("x-emulated-${kebab}")
  expect([await headers(), await headers(), await headers()]).toEqual([null, "on", null])
})
`
