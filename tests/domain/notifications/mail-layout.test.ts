import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { brand, type Brand } from '#contracts/brand/brand'
import { codeMail } from '#services/accounts/code-mail'
import type { MailContent } from '#services/mail/mail-content'
import { renderMail } from '#services/mail/render-mail'
import { senderOf } from '#services/mail/sender'
import { preheaderOf, shownText } from './shown-text.ts'

const other: Brand = {
  ...brand,
  name: 'Tom & <b>Sons</b>',
  supportEmail: 'help@sons.example',
  senderEmail: 'mail@sons.example',
  light: { ...brand.light, deep: '#112233', accent: '#445566', link: '#003366' },
  dark: { ...brand.dark, ink: '#FEDCBA' },
}

const ours = await codeMail('dana@example.com', '407192')
const theirs = await codeMail('dana@example.com', '407192', other)

describe('the mail of a sign-in code', () => {
  it('has no code in the subject and in the preview', () => {
    expect(ours.subject).toBe(`Your sign-in code for ${brand.name}`)
    expect(preheaderOf(ours.html)).toBe('It is valid for 10 minutes and for one sign-in.')
    expect(ours.html.match(/407192|407<\/span>/g)).toHaveLength(1)
  })

  it('has the code on a line of the text, and without a space in the HTML', () => {
    expect(ours.text.split('\n')).toContain('407192')
    expect(ours.html.replaceAll(/<[^>]*>/g, '')).toMatch(/407192/)
  })

  it('has its own code, although the rest is rendered once', async () => {
    const next = await codeMail('lee@example.com', '000017')
    expect(next.text).toBe(ours.text.replace('407192', '000017'))
    expect(next.html.replaceAll(/<[^>]*>/g, '')).toContain('000017')
    expect(next.html + next.text).not.toMatch(/407192|[\ue000-\ue00f]/)
  })

  it('says the same in text and in HTML', () => {
    const shown = shownText(ours.html).replace('407 192', '407192')
    for (const paragraph of ours.text.split('\n\n'))
      expect(shown.replaceAll(' .', '.')).toContain(paragraph)
  })
})

describe('a mail of another brand', () => {
  it('has the name, the addresses and the colors of that brand only', () => {
    for (const value of ['#112233', '#445566', '#003366', '#FEDCBA', 'help@sons.example'])
      expect(theirs.html).toContain(value)
    expect(theirs.subject).toBe('Your sign-in code for Tom & <b>Sons</b>')
    expect(theirs.text).toContain('help@sons.example')
    expect(theirs.text + theirs.html).not.toMatch(/Agile|support@example\.com|#FF4F1A/)
  })

  it('shows a name with HTML as text', () => {
    expect(theirs.html).toContain('Tom &amp; &lt;b&gt;Sons&lt;/b&gt;')
    expect(theirs.html).not.toContain('<b>')
    expect(theirs.text).toContain('Tom & <b>Sons</b>')
  })

  it('escapes every text of its content', async () => {
    const content: MailContent = {
      subject: '<i>subject',
      topic: '<i>topic',
      preheader: '<i>preheader',
      note: '<i>note',
      blocks: [
        { type: 'paragraph', text: '<i>"paragraph\'' },
        { type: 'figure', label: '<i>label', value: '<i>value' },
        { type: 'code', code: '<i>code' },
        {
          type: 'line',
          start: { mark: 'paid', label: '<i>start', date: '<i>date' },
          end: { mark: 'hollow', label: '<i>end', date: '<i>date' },
          now: { share: 0.5, label: '<i>now' },
        },
        { type: 'descriptions', descriptions: [{ term: '<i>term', value: '<i>value' }] },
        { type: 'quote', label: '<i>label', text: '<i>line\n<i>line' },
        { type: 'action', label: '<i>label', url: 'https://example.com/?a="><i>' },
      ],
    }
    const { html, text } = await renderMail(content, other)
    expect(html).not.toMatch(/<i>|"paragraph'/)
    expect(html).toContain('&lt;i&gt;&quot;paragraph&#x27;')
    expect(text).toContain('<i>line\n<i>line')
  })

  it('comes from its sender, whose name is quoted', () => {
    expect(senderOf(other)).toBe('"Tom & <b>Sons</b>" <mail@sons.example>')
    expect(senderOf({ ...brand, name: 'A "B" \\ C' })).toBe(
      String.raw`"A \"B\" \\ C" <${brand.senderEmail}>`,
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
    ['positive', 'surface'],
    ['negative', 'surface'],
    ['surface', 'ink'],
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
