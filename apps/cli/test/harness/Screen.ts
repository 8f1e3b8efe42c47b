/** A real terminal, driven by tmux: keys go in, and what a person would see comes out. */
import { execFile, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** Whether there is a tmux to drive. */
export const hasTmux = spawnSync("tmux", ["-V"], { stdio: "ignore" }).status === 0

export interface Screen extends AsyncDisposable {
  /** Types text, then Enter. */
  readonly type: (text: string) => Promise<void>
  /** Pastes text, which is in no argument of any process, then presses Enter. */
  readonly paste: (text: string) => Promise<void>
  /** Presses a key by tmux's name for it, such as `C-c`. */
  readonly press: (key: string) => Promise<void>
  /** The lines that are seen, empty ones at the end left out; with `colours`, escape sequences too. */
  readonly see: (colours?: boolean) => Promise<ReadonlyArray<string>>
  /** Waits until something is seen; throws with the screen when it takes too long. */
  readonly until: (pattern: RegExp, millis?: number) => Promise<ReadonlyArray<string>>
}

export interface ScreenOptions {
  readonly columns: number
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** By default a plain `sh`. */
  readonly shell?: ReadonlyArray<string>
}

/** Opens a terminal with a shell in it. */
export const open = async ({ columns, cwd, env, shell = ["sh"] }: ScreenOptions): Promise<Screen> => {
  const socket = `deedkit-${randomBytes(4).toString("hex")}`
  const tmux = async (...args: ReadonlyArray<string>): Promise<string> =>
    (await execute("tmux", ["-L", socket, "-f", "/dev/null", ...args])).stdout
  const variables = Object.entries({ PS1: "$ ", TERM: "screen-256color", ...env }).map(
    ([name, value]) => `${name}=${value}`,
  )
  const size = ["-x", String(columns), "-y", "40"]
  // Without a shell in between, which would bring settings of its own.
  await tmux("new-session", "-d", "-s", "it", ...size, "-c", cwd, "env", ...variables, ...shell)
  const see = async (colours = false): Promise<ReadonlyArray<string>> =>
    (await tmux("capture-pane", "-p", ...(colours ? ["-e"] : []), "-t", "it")).trimEnd().split("\n")
  const until: Screen["until"] = async (pattern, millis = 20_000) => {
    const end = performance.now() + millis
    for (;;) {
      const lines = await see()
      if (pattern.test(lines.join("\n"))) return lines
      if (performance.now() > end) throw new Error(`never saw ${pattern} in\n${lines.join("\n")}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  await until(/^[$#]/)
  return {
    type: async (text) => {
      await tmux("send-keys", "-t", "it", "-l", text)
      await tmux("send-keys", "-t", "it", "Enter")
    },
    paste: async (text) => {
      const loading = execute("tmux", ["-L", socket, "load-buffer", "-"])
      loading.child.stdin?.end(text)
      await loading
      await tmux("paste-buffer", "-d", "-t", "it")
      await tmux("send-keys", "-t", "it", "Enter")
    },
    press: async (key) => void (await tmux("send-keys", "-t", "it", key)),
    see,
    until,
    [Symbol.asyncDispose]: async () => void (await tmux("kill-server").catch(() => "")),
  }
}
