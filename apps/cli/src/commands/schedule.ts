/**
 * `deedkit schedule COMMAND...`: prints what runs a command every night, for the scheduler of this machine or another one, or gives it to the user's own.
 * Its words are parsed first; an export is also tried, with the environment that it will have.
 */
import { existsSync } from "node:fs"
import { platform } from "node:os"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Arguments from "../command/Arguments.ts"
import * as Habits from "../command/Habits.ts"
import * as Translate from "../command/Translate.ts"
import { choice, examples, languageOf, toggle } from "../command/SharedFlags.ts"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import { Invocation, shellWord, startedAs } from "../command/Subcommand.ts"
import { version } from "../command/Version.ts"
import { isStandardOutput } from "../export/ExportFlags.ts"
import { Failure, usageError } from "../failure/Failure.ts"
import * as Install from "../schedule/Install.ts"
import type { Job } from "../schedule/Schedulers.ts"
import * as Schedulers from "../schedule/Schedulers.ts"
import * as Ping from "../session/Ping.ts"
import * as Session from "../session/Session.ts"
import type { Variables } from "../terminal/Environment.ts"
import { Environment } from "../terminal/Environment.ts"
import * as HomePath from "../terminal/HomePath.ts"

/** `02:30` as it is, `3` and `3am` as `3:00`, `3:15pm` as `15:15`. */
const timeOfDay = (text: string): string => {
  const [, hour, minute = "00", half] = /^(\d{1,2})(?::(\d\d))?\s*([ap]m)?$/i.exec(text) ?? []
  if (hour === undefined || half === undefined) return hour === undefined ? text : `${hour}:${minute}`
  return Number(hour) > 12 || Number(hour) === 0
    ? text
    : `${(Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0)}:${minute}`
}

const own = {
  scheduler: choice(
    "for",
    "SCHEDULER",
    Habits.schedulers,
    "systemd, cron, launchd, windows or github; default: that of this machine (systemd or cron on Linux)",
  ),
  at: Flag.String("at").pipe(
    Flag.map(timeOfDay),
    Flag.filter(
      (time) => /^(?:[01]?\d|2[0-3]):[0-5]\d$/.test(time),
      () => "a time of day such as 02:30",
    ),
    Flag.withMetavar("TIME"),
    Flag.withDescription("Time of day, in the zone of the machine (UTC for github); default 02:30"),
    Flag.withDefault("02:30"),
  ),
  install: toggle("install", "Install it: as units of the user's systemd, or in the user's crontab"),
  words: Argument.String("COMMAND").pipe(
    Argument.withDescription("The command to run, with its flags"),
    Argument.atLeast(1),
  ),
} as const

type Choices = Command.Command.Config.Infer<typeof own>
type Scheduler = NonNullable<Choices["scheduler"]>

const ownScheduler = (): Scheduler =>
  platform() === "darwin"
    ? "launchd"
    : platform() === "win32"
      ? "windows"
      : existsSync("/run/systemd/system")
        ? "systemd"
        : "cron"

const has = (words: ReadonlyArray<string>, ...flags: ReadonlyArray<string>): boolean =>
  words.some((word) => flags.some((flag) => word === flag || word.startsWith(`${flag}=`)))

const keyAdvice =
  "Save the key in a file of mode 600, and name it in a profile: `deedkit auth login --key-file FILE`; or in DEEDKIT_API_KEY_FILE."

/** The files of `--out` among the words. */
const filesIn = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((word, at) =>
    word.startsWith("--out=") ? [word.slice(6)] : words[at - 1] === "--out" ? [word] : [],
  )

/** The addresses of mirrors in PostgreSQL among the words. */
const servers = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((word) => /^(?:--(?:from|to)=)?(postgres(?:ql)?:\/\/.*)$/is.exec(word)?.[1] ?? [])

/** The variables of this shell that the job needs. Fails where one of them is a secret. */
const variablesOf = (
  words: ReadonlyArray<string>,
  variables: Variables,
): Effect.Effect<Record<string, string>, Failure> => {
  const { apiKey, apiKeyFile, baseUrl, configFolder, cursorParam, profile, proxies, scheduled } = variables
  const postgres = servers(words).length === 0 ? {} : variables.postgres
  if (has(words, "--api-key-stdin")) return usageError("A scheduled command cannot ask for a key", keyAdvice)
  const isOther = has(words, "--profile", "--from", "--accounts") || profile !== undefined
  if (apiKey !== undefined && !isOther)
    return usageError("DEEDKIT_API_KEY is not set when a scheduler runs the command", keyAdvice)
  if (servers(words).length > 0 && variables.secret("PGPASSWORD") !== undefined)
    return usageError(
      "PGPASSWORD is not set when a scheduler runs the command",
      "Put the password into ~/.pgpass, a file of mode 600, and unset PGPASSWORD.",
    )
  const secret = Object.entries(proxies).find(([, value]) => value.includes("@"))
  if (secret !== undefined) {
    return usageError(
      `${secret[0]} has a password, which belongs in no file of a scheduler`,
      "Unset it for this command, and set the proxy where the scheduler runs.",
    )
  }
  const isOwnFolder = configFolder === null || configFolder === join(HomePath.home(), ".config")
  return Effect.succeed(
    Object.fromEntries(
      Object.entries({
        DEEDKIT_BASE_URL: baseUrl,
        DEEDKIT_API_KEY_FILE:
          (apiKeyFile ?? "") === "" ? undefined : resolve(HomePath.expand(apiKeyFile ?? "")),
        DEEDKIT_CURSOR_PARAM: cursorParam,
        DEEDKIT_PROFILE: profile,
        XDG_CONFIG_HOME: isOwnFolder || platform() === "win32" ? undefined : configFolder,
        ...scheduled,
        ...proxies,
        ...postgres,
      }).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]])),
    ),
  )
}

/** The words as the program reads them. Fails for a command that cannot run at night. */
const commandOf = Effect.fnUntraced(function* (typed: ReadonlyArray<string>) {
  const { args, refusal } = Translate.translate(typed[0] === "deedkit" ? typed.slice(1) : typed)
  if (/^(?:list|ls|show|status|remove|rm|delete|uninstall|--uninstall|--list)$/.test(typed[0] ?? "")) {
    return yield* usageError(
      `"${typed.join(" ")}" is no command of deedkit that can be scheduled`,
      "The scheduler lists and removes its jobs, such as with `systemctl --user list-timers` or `crontab -e`.",
    )
  }
  const often = typed.find((word) =>
    /^--(?:cron|daily|hourly|weekly|monthly|interval|time)(?==|$)/.test(word),
  )
  if (often !== undefined || typed[0] === "--every" || /^[\d*]+ [\d*]/.test(typed[0] ?? "")) {
    return yield* usageError(
      "A scheduled command runs once a day",
      "--at TIME chooses when, such as `--at 02:30`; change what is printed for other days.",
    )
  }
  if (refusal !== null) return yield* refusal
  const { parse } = yield* Invocation
  const command = (yield* parse(args)).join(" ")
  if (!Schedulers.isNightly(command)) {
    return yield* usageError(
      `"${typed.join(" ")}" cannot be scheduled`,
      "Schedule an export, a sync or a command that reads: `deedkit schedule export contracts --out contracts.xlsx`.",
    )
  }
  if (has(args, "--every"))
    return yield* usageError(
      "--every repeats the command until somebody stops it, and a scheduler runs it once a night",
      "Leave --every out, or start the command without schedule.",
    )
  if (has(args, "--debug-bundle"))
    return yield* usageError(
      "--debug-bundle takes a new file, which exists on the second night",
      "Use --log FILE, to which every night is appended.",
    )
  if (command === "export verify" && args.some((word) => /\{\w+\}/.test(word)))
    return yield* usageError(
      "export verify takes names of files, and fills in no {date}",
      "Export to a name that stays, with --overwrite, and verify that: `deedkit schedule export verify contracts.xlsx --max-age 36h`.",
    )
  const addresses = servers(args)
  if (addresses.length > 0) {
    const { placeOf } = yield* Effect.promise(() => import("../sync/Mirror.ts"))
    // Fails for an address with a password.
    yield* Effect.forEach(addresses, placeOf, { discard: true })
  }
  const monitor = Arguments.valueOf(args, "--ping")
  if (monitor !== null) yield* Effect.fromResult(Ping.parse(monitor))
  if (args.some((word) => /[\0\r\n]/.test(word)))
    return yield* usageError("A word of the command has a line break", "Schedulers take one line.")
  if (filesIn(args).some(isStandardOutput))
    return yield* usageError("A scheduled export needs a file, and --out - is none", "Add `--out FILE`.")
  const words = Schedulers.nightWords(command, args, yield* languageOf(undefined))
  yield* parse(words)
  return { args, command, words }
})

/** Whether the export has a dry run. */
const hasDryRun = (command: string, words: ReadonlyArray<string>): boolean => {
  if (!Schedulers.isExport(command) || has(words, "--from", "--dry-run", "--split-by", "--combine"))
    return false
  const isOfSeveral = has(words, "--all") || words.filter((word) => /^--profile(?:=|$)/.test(word)).length > 1
  return command !== "export report" || !isOfSeveral || words.some((word) => word.includes("{profile}"))
}

/** The words of a dry run, which tells no monitor and writes no log. */
const dryRunOf = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = words.indexOf("--")
  const [flags, rest] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)]
  const kept = flags.filter(
    (word, at) => !/^--(?:ping|log)(?:=|$)/.test(word) && !/^--(?:ping|log)$/.test(flags[at - 1] ?? ""),
  )
  return [...kept, "--dry-run", ...rest]
}

/** Tries the command as a dry run, which sends and writes nothing, with the environment of the night. */
const attempt = Effect.fnUntraced(function* ({
  folder,
  program: [node = "", ...args],
  variables,
  words,
}: Job) {
  const env = { PATH: "/usr/bin:/bin", HOME: HomePath.home(), ...variables }
  const { code, stderr } = yield* Install.run(node, [...args, ...dryRunOf(words)], { cwd: folder, env })
  if (code !== 0)
    return yield* usageError(
      "The command would fail when it is scheduled",
      stderr.trim() || `It ended with ${code}.`,
    )
})

/** Patterns of the files that an export writes. */
const patternsOf = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  filesIn(words).map((out) =>
    `${out.replace(/\.[^/]*$/, "").replaceAll(/\{\w+\}/g, "*")}*`.replaceAll(/\*+/g, "*"),
  )

/** What a scheduler needs: the lines to print with how to use them, and for the user's own what installs the job. */
interface Plan {
  readonly lines: ReadonlyArray<string>
  readonly how: string
  readonly install?: Effect.Effect<void, Failure>
  /** When an installed job runs, if that is not said by its time. */
  readonly when?: string
  /** The command that removes an installed job. */
  readonly remove?: string
}

const plans: {
  readonly [Each in Scheduler]: (
    job: Job,
    files: ReadonlyArray<string>,
    configFolder: string | null,
  ) => Plan | Failure
} = {
  cron: (job) => {
    const line = Schedulers.cron(job)
    return {
      lines: [line],
      how: "Add this line with `crontab -e`, or run this again with --install.",
      install: Install.inCrontab(line, job.name),
      remove: `crontab -l | grep -vF ${job.name} | crontab -`,
    }
  },
  systemd: (job, _, configFolder) => {
    const units = Schedulers.systemd(job)
    const folder = join(configFolder ?? join(HomePath.home(), ".config"), "systemd", "user")
    const timer = `${job.name}.timer`
    const paths = units.map(({ name }) => shellWord(join(folder, name))).join(" ")
    return {
      lines: units.flatMap(({ name, text }) => [`# ${join(folder, name)}`, ...text.split("\n")]),
      how: `Save both files, and run \`systemctl --user daemon-reload && systemctl --user enable --now ${timer}\`; or run this again with --install.`,
      install: Install.inSystemd(units, folder, timer),
      when: ", while you are logged in; `loginctl enable-linger` lets it run always",
      remove: `systemctl --user disable --now ${timer} && rm ${paths}`,
    }
  },
  launchd: (job) => {
    const { name, text } = Schedulers.launchd(
      job,
      join(HomePath.home(), "Library", "Logs", `${job.name}.log`),
    )
    const path = `~/Library/LaunchAgents/${name}`
    return {
      lines: text.trimEnd().split("\n"),
      how: `Save it as ${path}, and run \`launchctl bootstrap gui/$(id -u) ${path}\`. To remove it:\n  launchctl bootout gui/$(id -u)/${job.name} && rm ${path}`,
    }
  },
  windows: (job) => {
    const names = Object.keys(job.variables).join(", ")
    return names === ""
      ? {
          lines: [Schedulers.windows(job)],
          how: `Run this line in PowerShell. To remove the task: \`Unregister-ScheduledTask -TaskName ${job.name}\`.`,
        }
      : usageError(
          `A Windows task cannot set variables, and the command needs ${names}`,
          "Save address and key file in a profile: `deedkit auth login --key-file FILE`.",
        )
  },
  github: (job, files) => ({
    lines: Schedulers.github(job, version, files).trimEnd().split("\n"),
    how: `Save it as .github/workflows/${job.name}.yml in a private repository: whoever can read the repository can read its artifacts. Set the variable DEEDKIT_BASE_URL and the secret DEEDKIT_API_KEY there. The time is UTC.`,
  }),
}

const work: Work<Choices> = Effect.fn(function* ({ at, install, scheduler = ownScheduler(), words: typed }) {
  const { note, terminal } = yield* Session.output
  const environment = yield* Environment
  const { args, command, words } = yield* commandOf(typed)
  const isHere = scheduler !== "github"
  if (!isHere && has(words, "--profile", "--accounts", "--from")) {
    return yield* usageError(
      "A workflow has no profiles and no mirror of this machine",
      "It reads the variable DEEDKIT_BASE_URL and the secret DEEDKIT_API_KEY of its repository: leave them out.",
    )
  }
  const files = patternsOf(words)
  if (!isHere && Schedulers.isExport(command) && files.length === 0)
    return yield* usageError(
      "A workflow keeps the files that --out names, and there is none",
      "Add `--out FILE`.",
    )
  const folder = process.cwd()
  const [hour = 0, minute = 0] = at.split(":").map(Number)
  const job: Job = {
    name: Schedulers.nameOf(command, args, folder),
    program: startedAs(environment.trust),
    words,
    folder,
    variables: isHere ? yield* variablesOf(words, environment) : {},
    hour,
    minute,
  }
  if (isHere && platform() !== "win32" && hasDryRun(command, words)) yield* attempt(job)
  if (isHere && job.program.some((word) => /[/\\]_npx[/\\]/.test(word)))
    note(
      "This program is in the cache of npx, which may be emptied: `npm install -g deedkit` installs it.",
      "yellow",
    )
  const plan = plans[scheduler](job, files, environment.configFolder)
  if (install) {
    if (plan instanceof Failure || plan.install === undefined) {
      return yield* usageError(
        `--install is for systemd and cron, and not for ${scheduler}`,
        "Leave it out: what is printed says how it is installed.",
      )
    }
    yield* plan.install
    return note(
      `${job.name} runs every day at ${Schedulers.timeOf(job)}${plan.when ?? ""}. To remove it:\n  ${plan.remove}`,
    )
  }
  if (plan instanceof Failure) return yield* plan
  yield* terminal.lines(plan.lines)
  return note(plan.how)
})

export const schedule: Subcommand<"schedule"> = Command.make("schedule", own, work).pipe(
  examples(`
    # Print what runs this export every night
    deedkit schedule export contracts --out 'contracts-{date}.xlsx' --keep 30d
    # A line for a crontab, with a monitor
    deedkit schedule --for cron --at 03:15 export all --out all.xlsx --ping https://hc-ping.com/UUID
    deedkit schedule --install sync --all --to mirror.sqlite --log sync.log  # Install the timer of a mirror
  `),
)
