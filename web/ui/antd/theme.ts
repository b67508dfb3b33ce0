import type { ThemeConfig } from 'antd'
import values from './theme.json' with { type: 'json' }

/**
 * How antd's styles are named, in the browser and in the extracted style sheet alike: variables
 * `--ar-…` on the class `ar`, no hash, so that one static sheet fits every page.
 */
const naming = { hashed: false, cssVar: { prefix: 'ar', key: 'ar' } } as const

export const lightTheme: ThemeConfig = { ...naming, ...values.light }
export const darkTheme: ThemeConfig = { ...naming, ...values.dark }
