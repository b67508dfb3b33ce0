import type { ThemeConfig } from 'antd'
import values from './theme.json' with { type: 'json' }

/**
 * The names of antd's styles in the browser and in the extracted style sheet: variables `--ar-…` on
 * the class `ar`. The names have no hash, so that one static sheet fits every page.
 */
const naming = { hashed: false, cssVar: { prefix: 'ar', key: 'ar' } } as const

export const lightTheme: ThemeConfig = { ...naming, ...values.light }
export const darkTheme: ThemeConfig = { ...naming, ...values.dark }
