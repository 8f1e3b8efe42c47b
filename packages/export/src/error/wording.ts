/**
 * The English sentences of export errors: what happened, and what the reader can do. They are the same on every surface, so they name no flag and
 * no button (see `Action`), and make no claim about files that the error does not name. They hold no value of a record.
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

const place = (target: string): string => (target === "-" ? "standard output" : target)

/** What happened and where, without a full stop. */
export const headline = (reason: Reason): string => {
  switch (reason._tag) {
    case "TargetExists":
      return `${reason.path} already exists`
    case "TargetFolderMissing":
      return `The folder ${reason.folder} does not exist`
    case "TargetIsFolder":
      return `${reason.path} is a folder`
    case "TargetNotWritable":
      return `${reason.path} cannot be written (${reason.code})`
    case "NameTooLong":
      return `The name ${reason.path} is too long`
    case "TargetBusy":
      return `${reason.path} is open in another program`
    case "TargetMounted":
      return `${reason.path} is mounted by itself and cannot be replaced`
    case "NotOwn":
      return `${reason.path} ${reason.problem}`
    case "DiskFull":
      return `No space is left for ${place(reason.path)}`
    case "SinkClosed":
      return `The reader of ${place(reason.target)} closed it before the end`
    case "FileMissing":
      return `${reason.path} does not exist`
    case "FileFailed":
      return `Could not ${reason.step} ${place(reason.path)} (${reason.code ?? "no code"})`
    case "ColumnUnknown":
      return `There is no column "${reason.name}"`
    case "ColumnsMissing":
      return "No column is chosen"
    case "FilterInvalid":
      return `"${reason.text}" is not a condition: it takes ${reason.expected}`
    case "TooManyRejected":
      return `${reason.rejected} of ${reason.seen} records are not as specified: ${membersText(reason.members)}`
    case "RejectedHaveNoFile":
      return `${reason.id === null ? "A record" : `Record ${reason.id}`} is not as specified: ${membersText(reason.members)}`
    case "ReadIncomplete":
      return `The list ended after ${reason.records} records in ${reason.pages} pages, and the service did not say that it was complete`
    case "RecordsUnreadable":
      return reason.isNewer
        ? `A newer version of the program began the export in ${reason.path}`
        : `${reason.path} does not hold an interrupted export`
    case "RunUnderWay":
      return `Another export to the same file is running (${reason.path})`
    case "ResumeRefused":
      return `The interrupted export in ${reason.path} does not match: its ${reason.field} differ`
    case "TooManyRows":
      return `The table has more than ${reason.maxRows} rows, the most that ${reason.format} holds`
    case "OneTableOnly":
      return `${place(reason.target)} takes one table as ${reason.format}, not several`
    case "TargetTwice":
      return `${reason.path} would be written twice`
    case "TimeZoneUnknown":
      return `There is no time zone "${reason.name}"`
    case "Unreadable":
      return `${reason.path} is not ${reason.expected} that can be read`
    case "NotAsExported":
      return `${reason.path} ${reason.state === "missing" ? "is missing" : "does not match its manifest"}`
  }
}

/** What the reader can do, a full sentence. */
export const advice = (reason: Reason): string => {
  switch (reason._tag) {
    case "TargetExists":
      return "Choose another name, or allow the file to be replaced. The file was not changed."
    case "TargetFolderMissing":
      return "Create the folder first, or choose another one. Nothing was requested."
    case "TargetIsFolder":
      return "Add a file name to the path. Nothing was requested."
    case "TargetNotWritable":
      return "Check the permissions of the file and its folder, or choose another path."
    case "NameTooLong":
      return "Choose a shorter name: the files beside an export have names that are up to 50 characters longer. Nothing was requested."
    case "TargetBusy":
      return "Close the file in the other program, such as a spreadsheet, and try again."
    case "TargetMounted":
      return "Mount its folder instead of the file, or choose another path."
    case "NotOwn":
      return "Remove it, or choose a folder that only you may write. It was not used."
    case "DiskFull":
      return "Free some space, or choose another disk."
    case "SinkClosed":
      return "It did not read the whole table. If that was intended, nothing is wrong."
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
      return "Export to a file: rejected records are then written to a file beside it, and the others to the export."
    case "ReadIncomplete":
      return "The result is not complete. Try again."
    case "RecordsUnreadable":
      return reason.isNewer
        ? "Resume it with that version, or move the file to start a new export. The file was not changed."
        : "Move the file, or choose another name for the export. The file was not changed."
    case "RunUnderWay":
      return "Wait until it ends, or choose another name."
    case "ResumeRefused":
      return "Use the options of that export, or start a new one."
    case "TooManyRows":
      return "Choose another format, or export fewer records with a filter."
    case "OneTableOnly":
      return "Export to a file name, so that each table gets a file of its own, or choose xlsx."
    case "TargetTwice":
      return "Give each file its own name."
    case "TimeZoneUnknown":
      return 'Use a name of the IANA database, such as "Europe/Athens", or "UTC".'
    case "Unreadable":
      return "Check the path. If the file was cut or changed, export again."
    case "NotAsExported":
      return reason.state === "missing"
        ? "Restore it, or export again."
        : "Do not rely on it: export again, or find out what changed it."
  }
}
