/**
 * The command line as a value: flags become options, or one sentence that says what is wrong.
 * Knows the flags and their help; does not know processes, ports and signals.
 */
import { parseArgs } from "node:util"
import * as Assumptions from "./Assumptions.ts"
import type { EmulatorOptions } from "./Emulator.ts"
import { conditions } from "./faults/Fault.ts"
import { kinds } from "./faults/FaultSet.ts"
import { InvalidSetting, integer, suggestion } from "./Setting.ts"
import type { Settings } from "./Setting.ts"

/** The parsed command line. */
export interface Flags {
  readonly help: boolean
  readonly quiet: boolean
  readonly host: string
  readonly port: number
  /** Undefined for no control port. */
  readonly controlPort: number | undefined
  /** Undefined for no listing web site. */
  readonly sitePort: number | undefined
  readonly emulator: EmulatorOptions
}

const options = {
  port: { type: "string" },
  host: { type: "string" },
  contracts: { type: "string" },
  keys: { type: "string" },
  seed: { type: "string" },
  hurting: { type: "boolean" },
  assume: { type: "string", multiple: true },
  fault: { type: "string", multiple: true },
  "control-port": { type: "string" },
  "site-port": { type: "string" },
  quiet: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const

/** Reads the arguments after the program's name. Throws `InvalidSetting`. */
export const parse = (args: ReadonlyArray<string>): Flags => {
  check(args)
  const { values } = parseArgs({ args: [...args], options, strict: true })
  const whole = (name: "port" | "contracts" | "keys" | "seed", otherwise: number) =>
    wholeNumber(name, values[name]) ?? otherwise
  return {
    help: values.help ?? false,
    quiet: values.quiet ?? false,
    host: values.host ?? "127.0.0.1",
    port: whole("port", 0),
    controlPort: wholeNumber("control-port", values["control-port"]),
    sitePort: wholeNumber("site-port", values["site-port"]),
    emulator: {
      contracts: whole("contracts", 250),
      keys: whole("keys", 12),
      seed: whole("seed", 1),
      hurting: values.hurting ?? false,
      assumptions: Assumptions.fromText(values.assume ?? []),
      faults: values.fault ?? [],
    },
  }
}

/** The text of `--help`. */
export const help = (): string => {
  const faults = kinds.flatMap(({ attributes, description, name }) =>
    [`  ${name.padEnd(16)} ${description}`].concat(describe(attributes, "      ")),
  )
  return `deedkit-emulator: a local stand-in for the property management service

Usage: deedkit-emulator [flags]

  --port N            port to listen on; default 0, any free one
  --host HOST         address to listen on; default 127.0.0.1
  --contracts N       number of contracts; default 250
  --keys N            number of API keys, at least 5; default 12
  --seed N            same seed, same bytes; default 1
  --hurting           texts that break careless readers, in the newest contracts
  --assume NAME=VALUE answer to something that the specification leaves open; may be repeated
  --fault SPEC        fault, as name[:key=value[,key=value]]; may be repeated
  --control-port N    port by which faults, journal and store can be steered; 0 for any free one
  --site-port N       port of a web site with the listings of the contracts; 0 for any free one
  --quiet             no line for each request on stderr
  -h, --help          this text

When it is ready it prints one line on stdout:
  ready url=http://127.0.0.1:41231 key=dk_emulator_... control=http://127.0.0.1:41232 site=http://127.0.0.1:41233

Example:
  deedkit-emulator --contracts 1000 --fault rate-limit:retryAfter=1,every=10 --assume ordering=random

Faults, each with its attributes and defaults:
${faults.join("\n")}

Keys that every fault takes besides, to say when it acts:
${describe(conditions, "  ").join("\n")}

Assumptions, with their defaults:
${describe(Assumptions.table, "  ").join("\n")}
`
}

const describe = (table: Settings, indent: string): ReadonlyArray<string> =>
  Object.entries(table).map(
    ([name, setting]) =>
      `${indent}${`${name}=${show(setting.default)}`.padEnd(30)} ${setting.about} (${setting.shape})`,
  )

const show = (value: unknown): string =>
  Array.isArray(value) ? value.join("+") : value === "" ? '""' : String(value)

/** Finds what `parseArgs` would refuse, for a message with a suggestion. */
const check = (args: ReadonlyArray<string>): void => {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const names = Object.keys(options)
  for (const token of tokens) {
    if (token.kind === "positional")
      throw new InvalidSetting(`"${token.value}" is not a flag; --help lists them`)
    if (token.kind !== "option") continue
    const known = Object.entries(options).find(([name]) => name === token.name)?.[1]
    if (known === undefined) {
      const flags = names.map((name) => `--${name}`)
      throw new InvalidSetting(`there is no flag ${token.rawName}${suggestion(token.rawName, flags)}`)
    }
    if (known.type === "string" && token.value === undefined) {
      throw new InvalidSetting(`${token.rawName} needs a value; --help shows which`)
    }
    if (known.type === "boolean" && token.value !== undefined) {
      throw new InvalidSetting(`${token.rawName} takes no value`)
    }
  }
}

const wholeNumber = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const { accept, shape } = integer(0, "", 0, name.endsWith("port") ? 65_535 : 10_000_000)
  const value = accept(text)
  if (value === undefined) throw new InvalidSetting(`--${name} cannot be "${text}": it takes ${shape}`)
  return value
}
