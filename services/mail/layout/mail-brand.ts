import { createContext, use } from 'react'
import { brand } from '#contracts/brand/brand'
import { paint, type Paint, type Painted } from './paint.ts'

/** The brand of the mail that is rendered. */
export const MailBrand = createContext(brand)

/** The brand's classes and inline styles for these colors. */
export function usePaint(): (colors: Paint) => Painted {
  const of = use(MailBrand)
  return (colors) => paint(of, colors)
}
