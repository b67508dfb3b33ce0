import { describe, expect, it } from '@jest/globals'
import { emailAddress } from '#contracts/email-address'

const stored = (entered: string) => emailAddress.safeParse(entered).data

describe('an e-mail address', () => {
  it.each([
    ['Dana@Example.COM', 'dana@example.com'],
    ['  dana@example.com\n', 'dana@example.com'],
    ['\u00a0dana@example.com\ufeff', 'dana@example.com'],
    ['dana+invoices@example.com', 'dana+invoices@example.com'],
    ["o'hara@example.com", "o'hara@example.com"],
    ['dana.w_h-1@mail.example.co.uk', 'dana.w_h-1@mail.example.co.uk'],
    ['dana@xn--bcher-kva.example', 'dana@xn--bcher-kva.example'],
    [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
  ])('that is entered as %j is stored as %j', (entered, expected) => {
    expect(stored(entered)).toBe(expected)
  })

  it.each([
    ['a Cyrillic letter', 'd\u0430na@example.com'],
    ['a Cyrillic letter in the domain', 'dana@ex\u0430mple.com'],
    ['a full-width letter', '\uff44ana@example.com'],
    ['a full-width at sign', 'dana\uff20example.com'],
    ['the Kelvin sign, whose lower case is the letter k', '\u212aim@example.com'],
    ['the Kelvin sign in the domain', 'dana@\u212aim.example'],
    ['a Turkish capital I with a dot', '\u0130an@example.com'],
    ['a long s', 'dana@\u017fons.example'],
    ['an accent', 'd\u00e1na@example.com'],
    ['a combining accent', 'da\u0301na@example.com'],
    ['an internationalized domain that is not in ASCII form', 'dana@b\u00fccher.example'],
    ['a space', 'da na@example.com'],
    ['a tab', 'da\tna@example.com'],
    ['a line break and a header', 'dana@example.com\nBcc: eve@example.com'],
    ['NUL', 'dana\0@example.com'],
    ['a soft hyphen', 'da\u00adna@example.com'],
    ['a zero-width space', 'da\u200bna@example.com'],
    ['a right-to-left override', 'dana\u202e@example.com'],
    ['quotes', '"dana"@example.com'],
    ['quotes around a space', '"da na"@example.com'],
    ['a comment', 'dana(work)@example.com'],
    ['a name', 'Dana <dana@example.com>'],
    ['two addresses', 'dana@example.com,eve@example.com'],
    ['two at signs', 'dana@eve@example.com'],
    ['two dots', 'da..na@example.com'],
    ['a dot at the start', '.dana@example.com'],
    ['a dot at the end of the domain', 'dana@example.com.'],
    ['an IP address', 'dana@[192.0.2.1]'],
    ['a domain without a dot', 'dana@localhost'],
    ['255 characters', `${'a'.repeat(243)}@example.com`],
    ['60,000 characters', `${'a.'.repeat(30_000)}@example.com`],
    ['no characters', ' '],
  ])('with %s is refused', (_what, entered) => {
    expect(emailAddress.safeParse(entered).success).toBe(false)
  })
})
