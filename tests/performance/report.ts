/** One line of the benchmark's table. */
export interface Row {
  readonly what: string
  readonly measured: string
  /** The figure of the other contender in the same run, if there is one. */
  readonly against?: string
  readonly ratio?: number
  readonly target?: Target
  /** Lines below the table. */
  readonly details?: readonly string[]
}

export interface Target {
  readonly text: string
  readonly isMet: boolean
}

/** Rounds the ratio to two decimals, as the table shows it, before comparing it with the target. */
export function atLeast(ratio: number, target: number): Target {
  return { text: `≥ ${target.toFixed(1)}×`, isMet: Math.round(ratio * 100) >= target * 100 }
}

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en-US')}/s`
export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`

const headings = ['', 'measured', 'against', 'ratio', 'target', '']

/** The table as Markdown, aligned for a terminal, and below it the details of the rows. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ what, measured, against, ratio, target }) => [
    what,
    measured,
    against ?? '',
    ratio === undefined ? '' : `${ratio.toFixed(2)}×`,
    target?.text ?? '',
    target ? (target.isMet ? 'ok' : 'miss') : '',
  ])
  const widths = headings.map((heading, column) =>
    Math.max(3, heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [
    line(headings),
    line(widths.map((width) => '-'.repeat(width))),
    ...cells.map(line),
    ...rows.flatMap(({ details = [] }) => details),
  ].join('\n')
}
