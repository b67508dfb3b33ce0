import { brand } from '#contracts/brand/brand'
import { parseColor } from '#contracts/receivables/brand-color'
import { brandStyle } from '../brand/brand-style.ts'
import type { MessageSender } from '../messages/message-data.ts'

/** What a merchant's pages look like. The color has six hexadecimal digits. */
export interface PortalBrand {
  readonly color: string
  readonly logo: MessageSender['logo']
}

/** Without a color of the merchant: the ink of the product. */
export const defaultBrandColor = digitsOf(brand.light.ink)

/** As an address has it: without the sign. */
export function digitsOf(color: string): string {
  return color.slice(1).toLowerCase()
}

/** The style sheet of a color, such as `3b4a9b`. Null for a text that is no color. */
export function brandStyles(digits: string): string | null {
  if (!/^[0-9a-f]{6}$/.test(digits)) return null
  const color = parseColor(digits)
  return color === null ? null : brandStyle(color)
}
