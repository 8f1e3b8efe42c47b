/**
 * The sentences of export errors: what happened, and what the reader can do. One place, so that the command line, the extension and a
 * log say the same: no flag is named, and nothing is claimed of files that the error does not name. No value of a record appears here.
 */
import type { Reason, RejectedMember } from "./Reason.ts"

const membersText = (members: ReadonlyArray<RejectedMember>): string =>
  members
    .slice(0, 3)
    .map(({ expected, found, path, records }) => {
      const where = path === "" ? "the record" : path
      return `${where} should be ${expected} and is ${found}${records > 1 ? ` (${records} times)` : ""}`
    })
    .join("; ") + (members.length > 3 ? `; and ${members.length - 3} more` : "")

const zone = (name: string): string => (name === "unnamed" ? "a zone that it does not name" : name)

const place = (target: string): string => (target === "-" ? "standard output" : target)

/** What happened and where, without a full stop. */
export const headline = (reason: Reason): string => {
  switch (reason._tag) {
    case "TargetExists":
      return `${reason.path} exists already`
    case "TargetFolderMissing":
      return `The folder ${reason.folder} does not exist`
    case "TargetIsFolder":
      return `${reason.path} is a folder`
    case "TargetNotWritable":
      return `${reason.path} cannot be written (${reason.code})`
    case "NameTooLong":
      return `The name ${reason.path} is too long`
    case "TargetBusy":
      return `${reason.path} is held open by another program`
    case "DiskFull":
      return `No room is left for ${place(reason.path)}`
    case "SinkClosed":
      return `The reader of ${place(reason.target)} went away before the end`
    case "FileMissing":
      return `There is no ${reason.path}`
    case "FileFailed":
      return `Could not ${reason.step} ${place(reason.path)} (${reason.code ?? "no code"})`
    case "ColumnUnknown":
      return `There is no column "${reason.name}"`
    case "ColumnsMissing":
      return "No column is chosen"
    case "FilterInvalid":
      return `"${reason.text}" is no condition: it takes ${reason.expected}`
    case "TooManyRejected":
      return `${reason.rejected} of ${reason.seen} records are not as specified: ${membersText(reason.members)}`
    case "RejectedHaveNoFile":
      return `${reason.id === null ? "A record" : `Record ${reason.id}`} is not as specified: ${membersText(reason.members)}`
    case "ReadIncomplete":
      return `The list broke off after ${reason.records} records in ${reason.pages} pages: the service did not say that it was the end`
    case "JournalUnreadable":
      return `${reason.path} is in the way: it is not what an interrupted export left`
    case "RunUnderWay":
      return `Another export to the same file is under way (${reason.path})`
    case "ResumeRefused":
      return `The export in ${reason.path} is another one: its ${reason.field} differ`
    case "TooManyRows":
      return `The table has more than ${reason.maxRows} rows, and ${reason.format} holds no more`
    case "OneTableOnly":
      return `${place(reason.target)} takes one table as ${reason.format}, not several`
    case "TargetTwice":
      return `${reason.path} would be written twice`
    case "TimeZoneUnknown":
      return `There is no time zone "${reason.name}"`
    case "TimeZonesDiffer":
      return `The times of the earlier export are in ${zone(reason.before)}, those of the later one in ${zone(reason.after)}`
    case "Unreadable":
      return `${reason.path} is not ${reason.expected} that can be read`
    case "KeyUnusable":
      return `${reason.path} should be ${reason.expected} and is ${reason.found}`
    case "NotAsExported":
      return `${reason.path} ${reason.state === "missing" ? "is missing" : "does not match its manifest"}`
  }
}

/** What the reader can do, a full sentence. */
export const advice = (reason: Reason): string => {
  switch (reason._tag) {
    case "TargetExists":
      return "Choose another name, or allow it to be replaced. The file was not changed."
    case "TargetFolderMissing":
      return "Make the folder first, or choose another one. Nothing was requested."
    case "TargetIsFolder":
      return "Add a file name to it. Nothing was requested."
    case "TargetNotWritable":
      return "Check the permissions of the file and its folder, or choose another place."
    case "NameTooLong":
      return "Choose a shorter one: files that stand beside it have longer names, by about 50 characters. Nothing was requested."
    case "TargetBusy":
      return "Close the file in the other program, a spreadsheet perhaps, and try again."
    case "DiskFull":
      return "Make room, or choose another disk."
    case "SinkClosed":
      return "What it took is not the whole table. If that was intended, nothing is wrong."
    case "FileMissing":
      return "Check the path."
    case "FileFailed":
      return "Check the disk and the path, then try again."
    case "ColumnUnknown":
      return reason.nearest === null
        ? `The columns are: ${reason.valid.join(", ")}.`
        : `Did you mean "${reason.nearest}"? The columns are: ${reason.valid.join(", ")}.`
    case "ColumnsMissing":
      return `Name at least one of: ${reason.valid.join(", ")}.`
    case "FilterInvalid":
      return "Nothing was requested."
    case "TooManyRejected":
      return "The export was stopped. The service may have changed, or this is another service: check the base URL."
    case "RejectedHaveNoFile":
      return "Export to a file: such records are then kept in a file beside it, and the others are written."
    case "ReadIncomplete":
      return "The result is not complete. Try again."
    case "JournalUnreadable":
      return "Move it away, or choose another name for the export. The file was not changed."
    case "RunUnderWay":
      return "Wait for it. If none is, remove that file and try again."
    case "ResumeRefused":
      return "Use the options of that run, or start a new one."
    case "TooManyRows":
      return "Choose another format, or fewer records by a filter."
    case "OneTableOnly":
      return "Export to a file name, so that each table gets a file of its own, or choose xlsx."
    case "TargetTwice":
      return "Give each format a name of its own."
    case "TimeZoneUnknown":
      return 'Use a name of the IANA database, such as "Europe/Athens", or "UTC".'
    case "TimeZonesDiffer":
      return "Export again with the zone of the other one."
    case "Unreadable":
      return "Check the path. If the file was cut or changed, export again."
    case "KeyUnusable":
      return reason.found === "an encrypted key"
        ? "Decrypt it with: openssl pkey -in KEY -out OTHER."
        : "Make a pair with: openssl genpkey -algorithm ed25519 -out KEY and openssl pkey -in KEY -pubout -out PUBLIC."
    case "NotAsExported":
      return reason.state === "missing"
        ? "Find out where it went, or export again."
        : "Do not rely on it: export again, or find out what changed it."
  }
}
