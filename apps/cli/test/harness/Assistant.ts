/** An assistant: a client of the protocol that starts `deedkit mcp`. Every answer is checked for the API key. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { expect } from "vitest"
import type { Bench } from "./Cli.ts"
import { program } from "./Cli.ts"

export type Result = Readonly<Record<string, unknown>>

const textOf = ({ content }: Result): string =>
  (content as ReadonlyArray<{ readonly text: string }>)[0]?.text ?? ""

interface Options {
  /** Flags of the server. */
  readonly args?: ReadonlyArray<string>
  /** In place of the account of the emulator. */
  readonly env?: Readonly<Record<string, string>>
}

/** A real client, the program as its server, and every byte that the server wrote on standard error. */
export const connect = async (
  { emulator, url }: Pick<Bench, "emulator" | "url">,
  { args = ["--rate", "0"], env }: Options = {},
) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", ...args],
    env: env ?? { DEEDKIT_BASE_URL: url, DEEDKIT_API_KEY: emulator.apiKey },
    stderr: "pipe",
  })
  let stderr = ""
  transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")))
  const client = new Client({ name: "test", version: "1" })
  await client.connect(transport)
  const raw = async (name: string, args: Result = {}) => {
    const answer = await client.callTool({ name, arguments: args })
    expect(JSON.stringify(answer)).not.toContain(emulator.apiKey)
    return answer
  }
  return {
    client,
    raw,
    /** The result of a call that must succeed. */
    call: async (name: string, args: Result = {}): Promise<Result> => {
      const answer = await raw(name, args)
      expect(answer).not.toMatchObject({ isError: true })
      return JSON.parse(textOf(answer)) as Result
    },
    /** The error of a call that must fail. */
    fail: async (name: string, args: Result = {}): Promise<string> => {
      const answer = await raw(name, args)
      expect(answer.isError).toBe(true)
      return textOf(answer)
    },
    stderr: () => stderr,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

export const idsOf = (result: Result, name = "contracts"): ReadonlyArray<number> =>
  (result[name] as ReadonlyArray<{ readonly id: number }>).map(({ id }) => id)
