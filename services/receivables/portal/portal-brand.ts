import { brand } from '#contracts/brand/brand'

/** What a merchant's pages look like. The color has six hexadecimal digits. */
export interface PortalBrand {
  readonly color: string
}

/** Without a color of the merchant: the ink of the product, which suits every logo. */
export const defaultBrandColor = brand.light.link.slice(1).toLowerCase()

/**
 * The brand's color as a style sheet of its own, because the security policy allows no style in a
 * page. Text on the color is white or ink, whichever has more contrast; one of them always has 4.5
 * to 1. Null for a text that is no color.
 */
export function brandStyles(hex: string): string | null {
  if (!/^[0-9a-f]{6}$/.test(hex)) return null
  const onBrand = contrast(hex, 'ffffff') >= contrast(hex, ink) ? 'ffffff' : ink
  return `:root{--brand:#${hex};--on-brand:#${onBrand}}\n`
}

const ink = brand.light.ink.slice(1).toLowerCase()

/** WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
