import { createContext, use } from 'react'
import { brand } from '#contracts/brand/brand'
import { paint, paletteOf, type Paint, type Painted } from './paint.ts'

/** The colors of the mail that is rendered. */
export const MailColors = createContext(paletteOf(brand, null))

/** The classes and inline styles for these colors. */
export function usePaint(): (colors: Paint) => Painted {
  const of = use(MailColors)
  return (colors) => paint(of, colors)
}
