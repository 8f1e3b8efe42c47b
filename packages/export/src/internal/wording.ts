/**
 * The sentences of export errors: what happened, and what the reader can do. One place, so that the command line, the extension and a
 * log say the same. No value of a record appears here.
 */
import type { Reason, RejectedMember } from "../ExportError.ts"

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
    case "RejectsHaveNoPlace":
      return `${reason.id === null ? "A record" : `Record ${reason.id}`} is not as specified: ${membersText(reason.members)}`
    case "WalkIncomplete":
      return `The list broke off after ${reason.records} records in ${reason.pages} pages: the service did not say that it was the end`
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
    case "NotAsExported":
      return `${reason.path} ${reason.state === "missing" ? "is missing" : "was changed since its export"}`
  }
}

/** What the reader can do, a full sentence. */
export const advice = (reason: Reason): string => {
  switch (reason._tag) {
    case "TargetExists":
      return "Choose another name, or allow it to be replaced (--overwrite). The file is as it was."
    case "TargetFolderMissing":
      return "Make the folder first, or choose another one. Nothing was requested."
    case "TargetIsFolder":
      return "Add a file name to it. Nothing was requested."
    case "TargetNotWritable":
      return "Check the permissions of the file and its folder, or choose another place."
    case "NameTooLong":
      return "Choose a shorter one: files that stand beside it have longer names, by about 50 characters. Nothing was requested."
    case "TargetBusy":
      return "Close the file in the other program, a spreadsheet perhaps, and try again. The old file is as it was."
    case "DiskFull":
      return "Make room, or choose another disk. An older file of that name is as it was."
    case "SinkClosed":
      return "What it took is not the whole table. If that was intended, nothing is wrong."
    case "FileMissing":
      return "Check the path."
    case "FileFailed":
      return "Check the disk and the path, then try again. An older file of that name is as it was."
    case "ColumnUnknown":
      return reason.nearest === null
        ? `The columns are: ${reason.valid.join(", ")}.`
        : `Did you mean "${reason.nearest}"? The columns are: ${reason.valid.join(", ")}.`
    case "ColumnsMissing":
      return `Name at least one of: ${reason.valid.join(", ")}.`
    case "FilterInvalid":
      return "Nothing was requested."
    case "TooManyRejected":
      return "No file was made. The service may have changed, or this is another service: check the base URL."
    case "RejectsHaveNoPlace":
      return "Export to a file: such records are then set aside in a file beside it, and the others are written."
    case "WalkIncomplete":
      return "The result is not complete and no file was made of it. Try again."
    case "RunUnderWay":
      return "Wait for it. If none is, remove that file and try again."
    case "ResumeRefused":
      return "Go on with the options of that run, or start anew without --resume."
    case "TooManyRows":
      return "Choose another format, or fewer records by a filter."
    case "OneTableOnly":
      return "Export to a file, which gets a neighbour for each table, or choose xlsx."
    case "TargetTwice":
      return "Give each format a name of its own."
    case "TimeZoneUnknown":
      return 'Use a name of the IANA database, such as "Europe/Athens", or "UTC".'
    case "TimeZonesDiffer":
      return "Export again with the zone of the other one (--time-zone)."
    case "Unreadable":
      return "Check the path. If the file was cut or changed, export again."
    case "NotAsExported":
      return "Do not rely on it: export again, or find who changed it."
  }
}
