/** 'month', 'year', and where it is several of them '6_month'. */
export function intervalName(unit: string, count: number): string {
  return count === 1 ? unit : `${count}_${unit}`
}
