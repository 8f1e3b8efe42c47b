/**
 * The properties of a workbook: what it is, which program made it and when, and facts by name, which programs keep when they save the file again.
 */
import type { TableWriter } from "@deedkit/export"
import * as TextXml from "../sheet/TextXml.ts"
import { declaration, mediaTypes } from "./Namespaces.ts"

const application = "Deedkit"
const types = "http://schemas.openxmlformats.org/officeDocument/2006"

export interface Properties {
  /** Null if the file does not describe itself. */
  readonly document: TableWriter.FileDocument | null
  readonly facts: TableWriter.FileProperties
  /** When the workbook was made, regardless of `document`; null for a workbook that does not state it. */
  readonly createdAt: string | null
}

/** Readers of this form expect whole seconds. */
const seconds = (moment: string): string => moment.replace(/\.\d+/, "")

const core = ({ createdAt, document, facts }: Properties): string => {
  const lines = Object.entries(facts).map(([name, text]) => `${name}: ${text}`)
  const elements = [
    document === null ? "" : `<dc:title>${TextXml.plain(document.title)}</dc:title>`,
    `<dc:creator>${application}</dc:creator>`,
    lines.length === 0 ? "" : `<dc:description>${TextXml.plain(lines.join("\n"))}</dc:description>`,
    "<dc:language>en</dc:language>",
    `<cp:lastModifiedBy>${application}</cp:lastModifiedBy>`,
    ...(createdAt === null
      ? []
      : ["created", "modified"].map(
          (name) =>
            `<dcterms:${name} xsi:type="dcterms:W3CDTF">${TextXml.plain(seconds(createdAt))}</dcterms:${name}>`,
        )),
  ]
  return `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${elements.join("")}</cp:coreProperties>`
}

const custom = (facts: TableWriter.FileProperties): string =>
  `${declaration}<Properties xmlns="${types}/custom-properties" xmlns:vt="${types}/docPropsVTypes">${Object.entries(
    facts,
  )
    .map(
      ([name, text], at) =>
        `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${at + 2}" name="${TextXml.plain(name)}"><vt:lpwstr>${TextXml.plain(text)}</vt:lpwstr></property>`,
    )
    .join("")}</Properties>`

/** The relation and media type of the part of facts. */
export const customPart = {
  path: "docProps/custom.xml",
  type: "/custom-properties",
  mediaType: `${mediaTypes}.custom-properties+xml`,
} as const

/** The parts by path. Facts have a part of their own only if there are any. */
export const parts = (properties: Properties): ReadonlyMap<string, string> => {
  const { document, facts } = properties
  const made = new Map([
    ["docProps/core.xml", core(properties)],
    [
      "docProps/app.xml",
      `${declaration}<Properties xmlns="${types}/extended-properties"><Application>${TextXml.plain(document?.madeBy ?? application)}</Application></Properties>`,
    ],
  ])
  if (Object.keys(facts).length > 0) made.set(customPart.path, custom(facts))
  return made
}
