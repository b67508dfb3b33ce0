/**
 * The label and the time in UTC: `Users_2026-03-01_10-00-00.csv`. Source: specification, section 9.
 */
export function exportFileName(label: string, at: Date, extension: string): string {
  const [day = '', clock = ''] = at.toISOString().split('T')
  return `${label}_${day}_${clock.slice(0, 8).replaceAll(':', '-')}.${extension}`
}
