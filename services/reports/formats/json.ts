import type { ReportFile } from './report-file.ts'
import { valueOf } from './value-of.ts'

/**
 * One JSON object `{report, parameters, position, rows}`, written as it is computed. The order of
 * the members in the text is report, parameters, rows, position: the position is known last.
 */
export async function* jsonReport({
  name,
  columns,
  parameters,
  rows,
  position,
}: ReportFile): AsyncGenerator<string> {
  yield `{"report":${JSON.stringify(name)},"parameters":${JSON.stringify(parameters)},"rows":[`
  // A journal has millions of rows: an object per row would take a third longer.
  const members = columns.map((column) => [`${JSON.stringify(column.name)}:`, column] as const)
  let isFirst = true
  for await (const batch of rows()) {
    if (batch.length === 0) continue
    const texts = batch.map(
      (row) =>
        `{${members.map(([name, column]) => name + JSON.stringify(valueOf(row, column))).join(',')}}`,
    )
    yield `${isFirst ? '\n' : ',\n'}${texts.join(',\n')}`
    isFirst = false
  }
  yield `\n],"position":${JSON.stringify(position())}}\n`
}
