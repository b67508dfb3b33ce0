import type { CSSProperties } from 'react'
import { shadesOf } from '#contracts/receivables/brand-color'

/**
 * A merchant's color for the elements below, on both papers: brand-shades.css selects by the theme,
 * as mail programs do.
 */
export function brandShades(color: string | null): CSSProperties {
  const [light, dark] = [shadesOf(color, 'light'), shadesOf(color, 'dark')]
  return {
    '--brand-light': light.fill,
    '--on-brand-light': light.onFill,
    '--brand-edge-light': light.edge,
    '--brand-dark': dark.fill,
    '--on-brand-dark': dark.onFill,
    '--brand-edge-dark': dark.edge,
  } as CSSProperties
}
