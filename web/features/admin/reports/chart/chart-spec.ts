/** The color of a series: a token of the data or of a meaning. */
export type Tone = 'data-1' | 'data-2' | 'data-3' | 'data-4' | 'info' | 'warning' | 'negative'

export interface Series {
  readonly name: string
  readonly tone: Tone
  /**
   * Bars of one month are stacked: positive values above zero, negative values below. A line joins
   * the months. A mark is a short line across the bars of the month.
   */
  readonly look: 'bar' | 'line' | 'mark'
  /** One per month: minor units, a count, or ten-thousandths of a rate. Null: no value. */
  readonly values: readonly (number | null)[]
}

/** A chart over months. */
export interface ChartSpec {
  readonly title: string
  readonly unit: 'amount' | 'count' | 'rate'
  /** Null without amounts. */
  readonly currency: string | null
  readonly months: readonly string[]
  readonly series: readonly Series[]
  /** The rows of the chart, if they are not all rows of the report. */
  readonly of?: { readonly type: string }
  /** The column whose events a press on a month shows. */
  readonly columnOf: (month: string) => string
}
