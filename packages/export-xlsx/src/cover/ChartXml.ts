/**
 * A chart of stacked bars as DrawingML: about the least that the schema and spreadsheets accept. It holds the numbers too, for programs that do not
 * read them from the sheet.
 */
import type { Column } from "@deedkit/export"
import * as TextXml from "../sheet/TextXml.ts"

interface Data<A> {
  /** Such as `'Cover'!$A$5:$A$9`. */
  readonly ref: string
  readonly values: ReadonlyArray<A>
}

export interface ChartSpec {
  readonly title: string
  /** What the chart shows, for users of screen readers. */
  readonly description: string
  readonly categories: Data<string>
  readonly series: ReadonlyArray<{
    readonly tone: Column.Tone | null
    readonly name: Data<string>
    readonly counts: Data<number>
  }>
  /** The sums of the categories, which stand after their bars. */
  readonly totals: Data<number>
}

const drawingNamespace = "http://schemas.openxmlformats.org/drawingml/2006"

/** Colours with a contrast of at least 4.5:1 to the white numbers on them. */
const fills: { readonly [Tone in Column.Tone]: string } = {
  good: "2E7D5B",
  attention: "96620C",
  muted: "64717E",
}
const neutral = ["4F6D9A", "8C5A8F", "A65E4E", "A8497A"]
const text = "4B5563"

const points = (values: ReadonlyArray<string | number>): string =>
  `<c:ptCount val="${values.length}"/>${values
    .map((value, at) => `<c:pt idx="${at}"><c:v>${TextXml.plain(String(value))}</c:v></c:pt>`)
    .join("")}`

const strings = ({ ref, values }: Data<string>): string =>
  `<c:strRef><c:f>${TextXml.plain(ref)}</c:f><c:strCache>${points(values)}</c:strCache></c:strRef>`

const numbers = ({ ref, values }: Data<number>): string =>
  `<c:numRef><c:f>${TextXml.plain(ref)}</c:f><c:numCache><c:formatCode>#,##0</c:formatCode>${points(values)}</c:numCache></c:numRef>`

const solid = (colour: string): string => `<a:solidFill><a:srgbClr val="${colour}"/></a:solidFill>`
const line = (colour: string): string => `<c:spPr><a:ln w="6350">${solid(colour)}</a:ln></c:spPr>`
const inColour = (colour: string): string =>
  `<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="900">${solid(colour)}</a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>`
const small = inColour(text)

const title = (words: string): string =>
  `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1100" b="1"/></a:pPr><a:r><a:rPr lang="en-US" sz="1100" b="1">${solid("1F4E5F")}</a:rPr><a:t>${TextXml.plain(words)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`

/** A round number that leaves room for the sum after the longest bar. */
const axisEnd = ({ values }: Data<number>): number => {
  const longest = values.reduce((most, value) => Math.max(most, value), 1)
  const step = 10 ** Math.max(0, Math.floor(Math.log10(longest)) - 1)
  return Math.ceil((longest * 1.1) / step) * step
}

/** Whether the part of a bar is wide enough for its number: a digit takes about 1.5 % of the axis. */
const hasRoom = (value: number, end: number): boolean =>
  value / end > 0.01 + 0.015 * value.toLocaleString("en").length

/** Numbers on the bars, but for those at `hidden`. */
const labels = (place: "ctr" | "inBase", colour: string, hidden: ReadonlyArray<number>): string =>
  `<c:dLbls>${hidden
    .map((at) => `<c:dLbl><c:idx val="${at}"/><c:delete val="1"/></c:dLbl>`)
    .join(
      "",
    )}<c:numFmt formatCode="#,##0" sourceLinked="0"/><c:spPr><a:noFill/></c:spPr>${inColour(colour)}<c:dLblPos val="${place}"/><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>`

const bars = ({ categories, series, totals }: ChartSpec): string => {
  const end = axisEnd(totals)
  const bar = (at: number, name: string, counts: Data<number>, fill: string, numbersOnBars: string): string =>
    `<c:ser><c:idx val="${at}"/><c:order val="${at}"/><c:tx>${name}</c:tx><c:spPr>${fill}</c:spPr><c:invertIfNegative val="0"/>${numbersOnBars}<c:cat>${strings(categories)}</c:cat><c:val>${numbers(counts)}</c:val></c:ser>`
  const colours = series.map(({ tone }, at) => (tone === null ? neutral[at % neutral.length]! : fills[tone]))
  return [
    ...series.map(({ counts, name }, at) => {
      const hidden = counts.values.flatMap((value, place) => (hasRoom(value, end) ? [] : [place]))
      return bar(at, strings(name), counts, solid(colours[at]!), labels("ctr", "FFFFFF", hidden))
    }),
    // A bar that is seen neither here nor in the legend, and whose number stands where it begins.
    bar(series.length, "<c:v> </c:v>", totals, "<a:noFill/>", labels("inBase", text, [])),
  ].join("")
}

const ticks = '<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>'

export const chart = (spec: ChartSpec): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<c:chartSpace xmlns:c="${drawingNamespace}/chart" xmlns:a="${drawingNamespace}/main"><c:roundedCorners val="0"/><c:chart>${title(spec.title)}<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/><c:barChart><c:barDir val="bar"/><c:grouping val="stacked"/><c:varyColors val="0"/>${bars(spec)}<c:gapWidth val="45"/><c:overlap val="100"/><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling><c:orientation val="maxMin"/></c:scaling><c:delete val="0"/><c:axPos val="l"/><c:numFmt formatCode="General" sourceLinked="0"/>${ticks}${line("9CA3AF")}${small}<c:crossAx val="2"/><c:crosses val="autoZero"/><c:tickLblSkip val="1"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/><c:max val="${axisEnd(spec.totals)}"/><c:min val="0"/></c:scaling><c:delete val="0"/><c:axPos val="b"/><c:majorGridlines>${line("E5E7EB")}</c:majorGridlines><c:numFmt formatCode="#,##0" sourceLinked="0"/>${ticks}<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>${small}<c:crossAx val="1"/><c:crosses val="max"/></c:valAx></c:plotArea><c:legend><c:legendPos val="b"/><c:overlay val="0"/>${small}</c:legend><c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart><c:spPr>${solid("FFFFFF")}<a:ln w="6350">${solid("D9E1E4")}</a:ln></c:spPr></c:chartSpace>`

/** What a drawing holds in the place of a picture. `number` is that of the chart in the drawing, from 1, and of its relation. */
export const frame = ({ description, title }: ChartSpec, number: number): string =>
  `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${number + 1}" name="${TextXml.plain(title)}" descr="${TextXml.plain(description)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${drawingNamespace}/chart"><c:chart xmlns:c="${drawingNamespace}/chart" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId${number}"/></a:graphicData></a:graphic></xdr:graphicFrame>`
