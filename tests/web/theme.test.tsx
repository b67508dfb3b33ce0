import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { act, screen, within } from '@testing-library/react'
import { brand } from '#contracts/brand/brand'
import { startTheme } from '../../web/lib/theme.ts'
import { withSystemDark } from '../../web/ui/dark-css-plugin.ts'
import { startApiServer } from './support/api-server.ts'
import { openPage } from './support/open-page.tsx'

startApiServer()

const web = join(import.meta.dirname, '../../web')
const html = readFileSync(join(web, 'index.html'), 'utf8')
const firstScript = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''

/** The system's setting. jsdom has no `matchMedia`. */
class SystemTheme extends EventTarget implements MediaQueryList {
  readonly media = '(prefers-color-scheme: dark)'
  readonly onchange = null
  matches: boolean
  constructor(isDark: boolean) {
    super()
    this.matches = isDark
  }
  addListener(): void {}
  removeListener(): void {}
  change(isDark: boolean): void {
    this.matches = isDark
    this.dispatchEvent(new Event('change'))
  }
}

const { matchMedia } = window
const getItem = Storage.prototype.getItem

function useSystem(isDark: boolean): SystemTheme {
  const system = new SystemTheme(isDark)
  window.matchMedia = () => system
  return system
}

/** What the page shows: the theme of the styles, and the color around the page. */
function shown(): { theme: string | undefined; around: string[] } {
  const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
  return {
    theme: document.documentElement.dataset.theme,
    around: metas.filter(({ media }) => media === 'all').map(({ content }) => content),
  }
}

const expected = (theme: 'light' | 'dark') => ({ theme, around: [brand[theme].ground] })

beforeEach(() => {
  document.head.innerHTML = /<head>([\s\S]*)<\/head>/.exec(html)?.[1] ?? ''
  delete document.documentElement.dataset.theme
})
afterEach(() => {
  window.matchMedia = matchMedia
  Storage.prototype.getItem = getItem
})

describe('the theme of a page', () => {
  it.each([
    [null, false, 'light'],
    [null, true, 'dark'],
    ['light', true, 'light'],
    ['dark', false, 'dark'],
    ['sepia', true, 'dark'],
    ['blocked', true, 'dark'],
  ] as const)(
    'with the stored choice %s and a dark system %s is %s, from the first script on',
    (stored, isDark, theme) => {
      useSystem(isDark)
      if (stored === 'blocked')
        Storage.prototype.getItem = () => {
          throw new DOMException('Storage is blocked.', 'SecurityError')
        }
      else if (stored !== null) localStorage.setItem('theme', stored)
      runInNewContext(firstScript, { localStorage, matchMedia: window.matchMedia, document })
      expect(shown()).toEqual(expected(theme))

      delete document.documentElement.dataset.theme
      startTheme()
      expect(shown()).toEqual(expected(theme))
    },
  )

  it('follows the system until the visitor chooses, and again after System', async () => {
    const system = useSystem(false)
    startTheme()
    system.change(true)
    expect(shown()).toEqual(expected('dark'))

    const { user } = openPage('/')
    await user.click(screen.getByRole('button', { name: 'Theme' }))
    const menu = within(screen.getByRole('menu', { name: 'Theme' }))
    const item = (name: string) => menu.getByRole('menuitemradio', { name })
    expect(item('System')).toBeChecked()
    expect(item('System')).toHaveFocus()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(shown()).toEqual(expected('light'))
    expect(item('Light')).toBeChecked()
    expect(localStorage.getItem('theme')).toBe('light')
    system.change(false)
    system.change(true)
    expect(shown()).toEqual(expected('light'))

    await user.keyboard('{Home}{Enter}')
    expect(shown()).toEqual(expected('dark'))
    expect(localStorage.getItem('theme')).toBeNull()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(screen.getByRole('button', { name: 'Theme' })).toHaveFocus()
  })

  it('follows a choice in another tab', () => {
    useSystem(false)
    startTheme()
    localStorage.setItem('theme', 'dark')
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'theme' })))
    expect(shown()).toEqual(expected('dark'))
  })

  it('can be chosen in the account menu of a customer', async () => {
    useSystem(false)
    startTheme()
    localStorage.setItem('userEmail', 'dana@birchwooddental.example')
    const { user } = openPage('/pricing')
    await user.click(await screen.findByRole('button', { name: /^Account menu of dana/ }))
    const group = within(screen.getByRole('group', { name: 'Theme' }))
    await user.click(group.getByRole('menuitemradio', { name: 'Dark' }))
    expect(shown()).toEqual(expected('dark'))
    expect(screen.queryByRole('button', { name: 'Theme' })).toBeNull()
  })
})

it('of the API documentation is light, as its ground', () => {
  const page = readFileSync(join(web, 'api-docs.html'), 'utf8')
  expect(page).toContain(`<meta name="theme-color" content="${brand.light.ground}" />`)
  expect(page).toContain(`<title>API | ${brand.name}</title>`)
})

describe('the style sheet', () => {
  const tokens = readFileSync(join(web, 'ui/tokens.css'), 'utf8')

  it('has the dark values for screens, also for a browser without scripts', () => {
    const values = /^\[data-theme=dark\] (\{[^}]*\})/m.exec(tokens)?.[1] ?? 'none'
    const css = withSystemDark(tokens)
    expect(css.split(values)).toHaveLength(3)
    expect(css).toContain(`@media screen { [data-theme=dark] ${values} }`)
    expect(css).toContain(
      `@media screen and (prefers-color-scheme: dark) { :root:not([data-theme]) ${values} }`,
    )
    expect(() => withSystemDark(':root {}')).toThrow('tokens.css has no block')
  })

  it('has a color only in tokens.css', () => {
    const hasColor =
      /#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b(?!['"`\w-])|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(|:\s*(?:white|black)\b/i
    const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.(?:css|tsx?)$/.test(file) && file !== 'ui/tokens.css',
    )
    const literal = files.flatMap((file) =>
      readFileSync(join(web, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (hasColor.test(line) ? [`web/${file}:${index + 1}`] : [])),
    )
    expect(files.length).toBeGreaterThan(150)
    expect(literal).toEqual([])
  })
})
