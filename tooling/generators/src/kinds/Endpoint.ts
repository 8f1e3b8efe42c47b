/** A GET of the service that returns one object: its request, model and operation in core, and its route in the emulator. */
import * as Edit from "../plan/Edit.ts"
import type { Kind } from "../plan/Plan.ts"
import * as text from "../templates/endpoint.ts"

const core = "packages/core"
const emulator = "packages/emulator"
const requests = `${core}/src/model/ServiceRequest.ts`
const client = `${core}/src/client/PropertyClient.ts`
const operations = `${core}/src/client/Operations.ts`
const promise = `${core}/src/promise.ts`
const exchange = `${emulator}/src/routes/Exchange.ts`

const list = /(const endpoints = \[)([^\]]*)/
const routes = /(export const routes: [^=]*= \{)([^}]*)/
const tested = /(expect\(operations\.toSorted\(\)\)\.toEqual\(\[)([^\]]*)/
const imported = /^import \{ (\w+) \} from "\.\/\w+\.ts"$/

export const endpoint: Kind = {
  taken: (tree) => Edit.itemsOf(tree, exchange, list),
  plan: (name) => {
    const { camel, kebab, pascal } = name
    const member = text.member(name, `(options?: CallOptions) => Effect.Effect<${pascal}, ClientError>`)
    const model = (to: string) => `import type { ${pascal} } from "${to}/model/${pascal}.ts"\n`
    const route = kebab === camel ? camel : `"${kebab}": ${camel}`
    return {
      made: {
        [`${core}/src/model/${pascal}.ts`]: text.model(name),
        [`${core}/src/client/${camel}Of.ts`]: text.operation(name),
        [`${core}/test/model/${pascal}.test.ts`]: text.modelTest(name),
        [`${core}/test/client/${camel}Of.test.ts`]: text.operationTest(name),
        [`${emulator}/src/routes/${pascal}.ts`]: text.route(name),
        [`${emulator}/test/routes/${pascal}.test.ts`]: text.routeTest(name),
      },
      edits: {
        [requests]: [Edit.after(/^(?=\/\*\* Path and query as one text)/m, text.request(name))],
        [operations]: [
          Edit.after(
            /^import type \{ Me \} from .*\n/m,
            `${model("..")}import { ${camel}Of } from "./${camel}Of.ts"\n`,
          ),
          Edit.after(/^ {2}readonly me: .*\n/m, member),
          Edit.after(/^(?= {6}listen: )/m, `${camel}: ${camel}Of(caller),\n`),
        ],
        [client]: [
          Edit.after(/^import type \{ Me \} from .*\n/m, model("..")),
          Edit.after(/^ {2}readonly me: .*\n/m, member),
        ],
        [promise]: [
          Edit.after(/^import type \{ Me \} from .*\n/m, model(".")),
          Edit.after(/^export type \{ Me \} from .*\n/m, model(".").replace("import", "export")),
          Edit.after(
            /^ {2}readonly me: .*\n/m,
            text.member(name, `(options?: CallOptions & Abortable) => Promise<${pascal}>`),
          ),
          Edit.after(
            /^ {4}me: .*\n/m,
            `${camel}: (options) => run((client) => client.${camel}(withoutSignal(options)), options?.signal),\n`,
          ),
        ],
        [`${core}/src/index.ts`]: [Edit.after(/^export type \{ Me \} from .*\n/m, text.exported(name))],
        [`${core}/test/servers/openQuestions.test.ts`]: [Edit.item(tested, `"${camel}"`, "sorted")],
        [exchange]: [Edit.item(list, `"${kebab}"`, "sorted")],
        [`${emulator}/src/routes/index.ts`]: [
          Edit.line(imported, `import { ${camel} } from "./${pascal}.ts"`),
          Edit.item(routes, route, "sorted"),
        ],
      },
      next: [
        `Write its members and parameters from the specification, twice: in ${core} and, without looking there, in ${emulator}.`,
        `Name the scope that it needs in ${requests} and in ${emulator}/src/routes/${pascal}.ts.`,
        `Say in ${core}/README.md what the specification leaves open.`,
        `Run pnpm api, which lists the export in ${core}/api.md, and pnpm changeset for @deedkit/core: pnpm check fails without them.`,
      ],
    }
  },
}
