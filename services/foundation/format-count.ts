/** A number as texts for people have it: 300000 is '300,000'. Rounded to an integer. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
