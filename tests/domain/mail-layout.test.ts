import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { brand, type Brand } from '#contracts/brand/brand'
import { codeMail } from '#services/accounts/code-mail'
import { mailPage, senderOf } from '#services/mail/mail-layout'

const other: Brand = {
  ...brand,
  name: 'Tom & <b>Sons</b>',
  supportEmail: 'help@sons.example',
  senderEmail: 'mail@sons.example',
  light: { ...brand.light, deep: '#112233', accent: '#445566', link: '#003366' },
  dark: { ...brand.dark, ink: '#FEDCBA' },
}

describe('the mail of a sign-in code', () => {
  const { subject, text, html } = codeMail('dana@example.com', '407192')

  it('has no code in the subject and in the preview', () => {
    expect(subject).toBe('Your sign-in code for Agile Receivables')
    const preview = /<div style="display:none">([^<]*)<\/div>/.exec(html)?.[1]
    expect(preview).toBe('Enter this code to sign in to Agile Receivables:')
    expect(text.split('\n')[0]).toBe(preview)
  })

  it('has the code on a line of the text, and without a space in the HTML', () => {
    expect(text.split('\n')).toContain('407192')
    expect(html.replaceAll(/<[^>]*>/g, '')).toMatch(/\b407192\b/)
  })

  it('says the same in text and in HTML', () => {
    const shown = html.replace(/<head>.*<\/head>/s, '').replaceAll(/<[^>]*>/g, '')
    for (const paragraph of text.split('\n\n')) expect(shown).toContain(paragraph)
  })
})

describe('a mail of another brand', () => {
  const { subject, text, html } = codeMail('dana@example.com', '407192', other)

  it('has the name, the addresses and the colors of that brand only', () => {
    for (const value of ['#112233', '#445566', '#003366', '#FEDCBA', 'help@sons.example'])
      expect(html).toContain(value)
    expect(subject).toBe('Your sign-in code for Tom & <b>Sons</b>')
    expect(text).toContain('help@sons.example')
    expect(text + html).not.toMatch(/Agile|support@example\.com|#FF4F1A/)
  })

  it('shows a name with HTML as text', () => {
    expect(html).toContain('Tom &#38; &#60;b&#62;Sons&#60;/b&#62;')
    expect(html).not.toContain('<b>')
    expect(text).toContain('Tom & <b>Sons</b>')
  })

  it('escapes every text of the page', () => {
    const page = {
      kind: '<i>kind',
      paragraphs: ['<i>first', '<i>second'],
      code: '<i>1',
      note: '<i>"note\'',
    } as const
    const shown = mailPage(page).html
    expect(shown).not.toMatch(/<i>|"note'/)
    expect(shown).toContain('&#60;i&#62;&#34;note&#39;')
  })

  it('comes from its sender, whose name is quoted', () => {
    expect(senderOf(other)).toBe('"Tom & <b>Sons</b>" <mail@sons.example>')
    expect(senderOf({ ...brand, name: 'A "B" \\ C' })).toBe(
      String.raw`"A \"B\" \\ C" <no-reply@example.com>`,
    )
  })
})

describe.each([
  ['light', ':root', brand.light],
  ['dark', '[data-theme=dark]', brand.dark],
])('the %s colors of mails', (_mode, selector, colors) => {
  const css = readFileSync('web/ui/tokens.css', 'utf8')
  const start = css.indexOf(`${selector} {`)
  const block = css.slice(start, css.indexOf('\n}', start))

  it.each(Object.entries(colors))('have %s %s of tokens.css', (name, color) => {
    const token = name.replace(/[A-Z]|\d/g, (part) => `-${part.toLowerCase()}`)
    expect(new RegExp(`--${token}: *(#[0-9A-F]{6})`).exec(block)?.[1]).toBe(color)
  })

  it.each([
    ['ink', 'surface'],
    ['ink2', 'surface2'],
    ['link', 'surface2'],
    ['onDeep', 'deep'],
    ['onDeep2', 'deep'],
  ] as const)('have a contrast of 4.5 or more between %s and %s', (text, ground) => {
    expect(contrast(colors[text], colors[ground])).toBeGreaterThanOrEqual(4.5)
  })
})

/** The contrast of two colors by WCAG 2.2. */
function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
