/** The API's name of a billing interval: `month` or `year` for a count of 1, else for example `6_month`. */
export function intervalName(unit: string, count: number): string {
  return count === 1 ? unit : `${count}_${unit}`
}
