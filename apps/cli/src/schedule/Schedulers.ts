/**
 * A command that is to run every night, and what runs it, in the form of each scheduler. Every word reaches the program as it was typed. Pure.
 */
import { createHash } from "node:crypto"
import type { Texts } from "@deedkit/export"
import { shellWord } from "../command/Subcommand.ts"

export interface Job {
  /** Names the job for its scheduler: the same for the same command in the same folder. */
  readonly name: string
  /** The program with absolute paths. */
  readonly program: ReadonlyArray<string>
  /** The command for the program. */
  readonly words: ReadonlyArray<string>
  readonly folder: string
  /** Variables of the job. None of them is a secret. */
  readonly variables: Readonly<Record<string, string>>
  readonly hour: number
  readonly minute: number
}

/** Commands of deedkit that make sense every night. */
const nightly: ReadonlyArray<RegExp> = [
  /^export (?:contracts|keys|all|report|verify)$/,
  /^sync(?: (?:backup|changes|prune|status|verify))?$/,
  /^(?:contracts|keys) (?:audit|count|get|list)$/,
  /^(?:api|doctor|me)$/,
]

/** Whether a command, such as `export contracts`, can run at night. */
export const isNightly = (command: string): boolean => nightly.some((each) => each.test(command))

/** Whether the command writes files by reading, which an earlier night has left, whole or in part. */
export const isExport = (command: string): boolean =>
  command.startsWith("export ") && command !== "export verify"

/**
 * The words with what every night needs: last night's file is replaced, an interrupted one is resumed, only failures are mailed, and the language is that
 * of the user, which most schedulers do not have.
 */
export const nightWords = (
  command: string,
  words: ReadonlyArray<string>,
  language: Texts.Language,
): ReadonlyArray<string> => {
  const has = (flag: string): boolean => words.some((word) => word === flag || word.startsWith(`${flag}=`))
  const added = [
    ...(isExport(command) ? ["--overwrite"] : []),
    ...(isExport(command) && !["--from", "--no-manifest", "--split-by"].some(has) ? ["--resume"] : []),
    ...(isExport(command) || command === "sync" ? ["--quiet"] : []),
    ...(language !== "en" && !has("--lang") && (isExport(command) || command === "sync changes")
      ? [`--lang=${language}`]
      : []),
  ].filter((flag) => !has(flag))
  const end = words.indexOf("--")
  return end < 0 ? [...words, ...added] : [...words.slice(0, end), ...added, ...words.slice(end)]
}

/** `deedkit-export-contracts-3fa9c1`. */
export const nameOf = (command: string, words: ReadonlyArray<string>, folder: string): string => {
  const hash = createHash("sha256")
    .update(JSON.stringify([folder, words]))
    .digest("hex")
  return `deedkit-${command.replaceAll(" ", "-")}-${hash.slice(0, 6)}`
}

/** A file of a scheduler: its name below the folder where the scheduler looks, and its text. */
export interface SchedulerFile {
  readonly name: string
  readonly text: string
}

const padded = (number: number): string => String(number).padStart(2, "0")

/** `02:30`. */
export const timeOf = ({ hour, minute }: Job): string => `${padded(hour)}:${padded(minute)}`

const lineOf = ({ program, words }: Job): ReadonlyArray<string> => [...program, ...words]

/** The command for a shell, in its folder and with its variables. */
const shellLine = (job: Job): string =>
  [
    `cd ${shellWord(job.folder)} &&`,
    ...Object.entries(job.variables).map(([name, value]) => `${name}=${shellWord(value)}`),
    ...lineOf(job).map(shellWord),
  ].join(" ")

/** The line of a crontab. Its comment names the job. Cron takes a percent sign for the end of the command. */
export const cron = (job: Job): string =>
  `${job.minute} ${job.hour} * * * ${`${shellLine(job)} # ${job.name}`.replaceAll("%", "\\%")}`

/** A text of a systemd unit, where percent signs begin specifiers. */
const unitText = (text: string): string => text.replaceAll("%", "%%")

const unitQuoted = (word: string): string =>
  `"${unitText(word).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`

/** A word of `ExecStart`, where a dollar sign begins a variable. */
const unitWord = (word: string): string => unitQuoted(word).replaceAll("$", "$$$$")

/** The service and the timer of a user's systemd. A night that the machine slept through is caught up on. */
export const systemd = (job: Job): ReadonlyArray<SchedulerFile> => [
  {
    name: `${job.name}.service`,
    text: [
      "[Unit]",
      `Description=${job.name}`,
      "",
      "[Service]",
      "Type=oneshot",
      `WorkingDirectory=${unitText(job.folder)}`,
      ...Object.entries(job.variables).map(
        ([name, value]) => `Environment=${unitQuoted(`${name}=${value}`)}`,
      ),
      `ExecStart=${lineOf(job).map(unitWord).join(" ")}`,
      "",
    ].join("\n"),
  },
  {
    name: `${job.name}.timer`,
    text: [
      "[Unit]",
      `Description=${job.name} every night`,
      "",
      "[Timer]",
      `OnCalendar=*-*-* ${timeOf(job)}:00`,
      "Persistent=true",
      "",
      "[Install]",
      "WantedBy=timers.target",
      "",
    ].join("\n"),
  },
]

const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** The job of a user's launchd. Its messages go to `log`. */
export const launchd = (job: Job, log: string): SchedulerFile => {
  const key = (name: string): string => `  <key>${name}</key>`
  const string = (text: string): string => `<string>${xml(text)}</string>`
  return {
    name: `${job.name}.plist`,
    text: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
      '<plist version="1.0">',
      "<dict>",
      key("Label"),
      `  ${string(job.name)}`,
      key("ProgramArguments"),
      "  <array>",
      ...lineOf(job).map((word) => `    ${string(word)}`),
      "  </array>",
      key("WorkingDirectory"),
      `  ${string(job.folder)}`,
      key("EnvironmentVariables"),
      "  <dict>",
      ...Object.entries(job.variables).flatMap(([name, value]) => [`  ${key(name)}`, `    ${string(value)}`]),
      "  </dict>",
      key("StandardErrorPath"),
      `  ${string(log)}`,
      key("StartCalendarInterval"),
      "  <dict>",
      `  ${key("Hour")}`,
      `    <integer>${job.hour}</integer>`,
      `  ${key("Minute")}`,
      `    <integer>${job.minute}</integer>`,
      "  </dict>",
      "</dict>",
      "</plist>",
      "",
    ].join("\n"),
  }
}

/** A word as programs of Windows read it in their command line. */
const windowsWord = (word: string): string =>
  word !== "" && !/[\s"]/.test(word)
    ? word
    : `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, (slashes) => slashes + slashes)}"`

/** A text of PowerShell. It takes typographic quotes for plain ones. */
const powershell = (text: string): string => `'${text.replaceAll(/['\u2018\u2019\u201A\u201B]/g, "$&$&")}'`

/** The line of PowerShell that makes a task of Windows. `schtasks` takes no folder, and no command of more than 261 characters. */
export const windows = (job: Job): string => {
  const [program = "", ...words] = lineOf(job)
  return [
    `Register-ScheduledTask -Force -TaskName ${powershell(job.name)}`,
    `-Trigger (New-ScheduledTaskTrigger -Daily -At ${timeOf(job)})`,
    `-Settings (New-ScheduledTaskSettingsSet -StartWhenAvailable)`,
    `-Action (New-ScheduledTaskAction -Execute ${powershell(program)}`,
    `-Argument ${powershell(words.map(windowsWord).join(" "))}`,
    `-WorkingDirectory ${powershell(job.folder)})`,
  ].join(" ")
}

/** Actions by the hash of a release, which nobody can change as a tag can be. */
const setupNode = "actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0"
const uploadArtifact = "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0"

/** A workflow of GitHub Actions. `files` are patterns of what the command writes, kept as an artifact. */
export const github = (job: Job, version: string, files: ReadonlyArray<string>): string =>
  [
    `name: ${job.name}`,
    "on:",
    "  schedule:",
    `    - cron: "${job.minute} ${job.hour} * * *" # UTC`,
    "  workflow_dispatch:",
    "permissions: {}",
    "jobs:",
    "  deedkit:",
    "    runs-on: ubuntu-latest",
    "    steps:",
    `      - uses: ${setupNode}`,
    "        with:",
    "          node-version: 24",
    "      - run: |",
    `          ${["npx", "--yes", `deedkit@${version}`, ...job.words].map(shellWord).join(" ")}`,
    "        env:",
    "          DEEDKIT_BASE_URL: ${{ vars.DEEDKIT_BASE_URL }}",
    "          DEEDKIT_API_KEY: ${{ secrets.DEEDKIT_API_KEY }}",
    ...(files.length === 0
      ? []
      : [
          `      - uses: ${uploadArtifact}`,
          "        with:",
          `          name: ${job.name}`,
          "          path: |",
          ...files.map((file) => `            ${file}`),
        ]),
    "",
  ].join("\n")
