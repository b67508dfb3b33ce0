import { shadesOf } from '#contracts/receivables/brand-color'

/**
 * The style sheet of a color, for pages on light paper. It is a file of its own, so that the
 * security policy needs no exception. It depends on the color alone, so it can be stored for good.
 */
export function brandStyle(color: string): string {
  const { fill, onFill, edge } = shadesOf(color, 'light')
  return `:root{--brand:${fill};--on-brand:${onFill};--brand-ink:${edge}}\n`
}
