/** Orders texts by their code units, in every locale the same. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
