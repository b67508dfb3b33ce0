import { moneyMethod } from '#contracts/events/receivable-parts'
import { methodsInWords } from '#contracts/receivable-sentences'

/** `by check`. A newer release may store another method. */
export function methodInWords(method: string): string {
  const known = moneyMethod.safeParse(method)
  return known.success ? methodsInWords[known.data] : method
}
