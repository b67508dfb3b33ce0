import { describe, expect, it } from '@jest/globals'
import { profileForm } from '#contracts/profile'

const valid = {
  full_name: 'Dana Whitlock',
  company_name: 'Birchwood Dental Group',
  domain: 'Dental',
  address: '418 Orchard Lane, Suite 2',
  state: 'Minnesota',
  zipcode: '55802',
  support_email: 'help@birchwooddental.example',
  support_phone: '(218) 555-0147',
  has_accepted_terms: true,
}

/** The value that the form has after the check, or the first error text. */
function checked(field: string, value: string) {
  const { data, error } = profileForm.safeParse({ ...valid, [field]: value })
  return data
    ? new Map<string, unknown>(Object.entries(data)).get(field)
    : error?.issues[0]?.message
}

describe('the website link', () => {
  it.each([
    ['birchwood.example', 'https://birchwood.example'],
    [' www.birchwood.example/@dana ', 'https://www.birchwood.example/@dana'],
    ['birchwood.example:8080/a?b=c', 'https://birchwood.example:8080/a?b=c'],
    ['http://birchwood.example', 'http://birchwood.example'],
    ['HTTPS://birchwood.example/', 'HTTPS://birchwood.example/'],
    ['', undefined],
    ['\u200b', undefined],
  ])('accepts %j as %j', (text, link) => {
    expect(checked('website_url', text)).toBe(link)
  })

  it.each(['javascript:alert(1)', 'ftp://birchwood.example', 'mailto:a@birchwood.example'])(
    'refuses the scheme of %s',
    (text) => {
      expect(checked('website_url', text)).toBe('Website link must start with http:// or https://.')
    },
  )

  it.each([
    'http://user:pw@birchwood.example',
    'https://user@birchwood.example/a',
    'dana@birchwood.example',
    'https://birchwood.example/"a',
    "https://birchwood.example/'a",
    'https://birchwood.example/<b>',
    'https://birchwood.example\\@other.example',
  ])('refuses a user name, quotes and angle brackets: %s', (text) => {
    expect(checked('website_url', text)).toBe(
      'Website link must not contain a user name, quotes or angle brackets.',
    )
  })

  it.each([
    'birchwood',
    'https://',
    'https:birchwood.example',
    'birch wood.example',
    'a.?b',
    '/a.b',
  ])('refuses %s, which is not a web address', (text) => {
    expect(checked('website_url', text)).toMatch(/^Website link must /)
  })

  it('has 300 characters at most, also with the added scheme', () => {
    const text = `birchwood.example/${'a'.repeat(300 - 'birchwood.example/'.length)}`
    expect(checked('website_url', text)).toBe('Website link has 300 characters at most.')
    expect(checked('website_url', text.slice(8))).toBe(`https://${text.slice(8)}`)
  })
})

describe('a text of the profile', () => {
  it.each(['', ' ', '\u200b', ' \u200d\ufeff', '\u2060\u00ad', '\u3164', '\u2800', '\u202e'])(
    'is empty without a visible character: %j',
    (text) => {
      expect(checked('company_name', text)).toBe('Company name is required.')
      expect(checked('city', text)).toBeUndefined()
    },
  )

  it.each(['Birch\u202ewood', 'Birch\u2066wood\u2069', '\u202aBirchwood', 'Birch\0wood'])(
    'has no control character: %j',
    (text) => {
      expect(checked('company_name', text)).toBe(
        'Company name contains characters that cannot be shown.',
      )
      expect(checked('city', text)).toBe('City contains characters that cannot be shown.')
    },
  )

  it.each(['Dana \u{1f469}\u200d\u2695\ufe0f', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'])(
    'keeps joiners inside: %j',
    (text) => {
      expect(checked('full_name', text)).toBe(text)
    },
  )
})
