import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { antdStaticCss } from '../../web/ui/antd/static-css.tsx'
import theme from '../../web/ui/antd/theme.json' with { type: 'json' }

const web = join(import.meta.dirname, '../../web')

/** The colors by name in a block of tokens.css. */
function tokens(selector: string): Map<string, string> {
  const css = readFileSync(join(web, 'ui/tokens.css'), 'utf8')
  const start = css.indexOf(`${selector} {`)
  const block = css.slice(start, css.indexOf('\n}', start))
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9A-F]{6})\b/gi)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )
}

const light = tokens(':root')
const dark = new Map([...light, ...tokens('[data-theme=dark]')])

/** antd's names and the names of tokens.css for the same color. */
const sameColour = {
  colorText: 'ink',
  colorTextSecondary: 'ink-2',
  colorTextTertiary: 'ink-3',
  colorTextPlaceholder: 'ink-3',
  colorPrimary: 'ink',
  colorTextLightSolid: 'on-ink',
  colorLink: 'link',
  colorBgLayout: 'ground',
  colorBgContainer: 'surface',
  colorBgElevated: 'surface',
  colorFillAlter: 'surface-2',
  colorFill: 'surface-3',
  colorBorder: 'rule-field',
  colorBorderSecondary: 'rule',
  colorSuccess: 'positive-fill',
  colorSuccessText: 'positive',
  colorErrorText: 'negative',
  colorWarning: 'warning-fill',
  colorInfo: 'info-fill',
} as const

/** Colors between two tokens that only antd needs: its hover, pressed and selected backgrounds. */
const antdsOwn = {
  light: ['#244046', '#00171B', '#E3EFF0', '#EBB2C3'],
  dark: ['#CBDADB', '#FFFFFF', '#163740', '#7A2A42'],
}

function colours(value: unknown): string[] {
  if (typeof value === 'string') return /^#[0-9A-F]{6}$/i.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(colours) : []
}

describe.each([
  ['light', theme.light, light, antdsOwn.light],
  ['dark', theme.dark, dark, antdsOwn.dark],
] as const)('antd’s %s theme', (_name, own, product, exceptions) => {
  it.each(Object.entries(sameColour))(
    'has the same color for %s as tokens.css for --%s',
    (antdName, productName) => {
      expect(own.token[antdName as keyof typeof sameColour]).toBe(product.get(productName))
    },
  )

  it('has only colors of tokens.css', () => {
    const known = new Set([...product.values(), ...exceptions])
    expect(colours(own).filter((colour) => !known.has(colour))).toEqual([])
  })
})

describe('the extracted style sheet', () => {
  const css = antdStaticCss()

  it('has the light variables, and the dark variables under data-theme', () => {
    expect(css).toContain(`--ar-color-text:${theme.light.token.colorText}`)
    expect(css).toMatch(
      new RegExp(
        `\\[data-theme=dark\\] \\.ar\\{[^}]*--ar-color-text:${theme.dark.token.colorText}`,
      ),
    )
  })

  it('covers every antd component that the pages import', () => {
    const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !file.startsWith('ui/antd/'),
    )
    const imported = files.flatMap((file) =>
      [
        ...readFileSync(join(web, file), 'utf8').matchAll(/^import \{([^}]*)\} from 'antd'/gm),
      ].flatMap(([, names]) => names!.split(',')),
    )
    const extracted = readFileSync(join(web, 'ui/antd/styled-components.tsx'), 'utf8')
    const missing = imported
      .map((name) => name.trim())
      .filter((name) => name && !extracted.includes(`<${name} `))
    expect(imported.length).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })
})
