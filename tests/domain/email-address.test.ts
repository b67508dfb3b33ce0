import { describe, expect, it } from '@jest/globals'
import { emailAddress } from '#contracts/email-address'

/** A domain of 252 characters: the longest one in an address of 254 characters. */
const long = `LOCAL@${`${'d'.repeat(61)}.`.repeat(4)}comm`

const stored = (entered: string) => emailAddress.safeParse(entered).data

describe('an e-mail address', () => {
  it.each([
    ['Dana@Example.COM', 'dana@example.com'],
    ['  dana@example.com\n', 'dana@example.com'],
    ['\u00a0dana@example.com\ufeff', 'dana@example.com'],
    ['\u200bdana@example.com\u200b\n', 'dana@example.com'],
    ['\u200e\u2060dana@example.com \u202c', 'dana@example.com'],
    ['dana+invoices@example.com', 'dana+invoices@example.com'],
    ["o'hara@example.com", "o'hara@example.com"],
    ['dana.w_h-1@mail.example.co.uk', 'dana.w_h-1@mail.example.co.uk'],
    ['dana@xn--bcher-kva.example', 'dana@xn--bcher-kva.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [`${long.replace('LOCAL', 'a')}`, `${long.replace('LOCAL', 'a')}`],
    ['R&D@example.com', 'r&d@example.com'],
    ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
    ['dana=example.org@example.com', 'dana=example.org@example.com'],
    ['dana-@example.com', 'dana-@example.com'],
    ['dana@a.example', 'dana@a.example'],
    ['dana@3m.example', 'dana@3m.example'],
    ['dana@xn--e1afmkfd.xn--p1ai', 'dana@xn--e1afmkfd.xn--p1ai'],
    ['Dana@BÜCHER.example', 'dana@xn--bcher-kva.example'],
    ['dana@bu\u0308cher.example', 'dana@xn--bcher-kva.example'],
    ['dana@XN--BCHER-KVA.example', 'dana@xn--bcher-kva.example'],
    ['dana@stra\u00dfe.example', 'dana@xn--strae-oqa.example'],
    ['dana@пример.рф', 'dana@xn--e1afmkfd.xn--p1ai'],
    ['dana@例え.テスト', 'dana@xn--r8jz45g.xn--zckzah'],
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
    ['a full-width letter in the domain', 'dana@\uff45xample.com'],
    ['an ideographic full stop', 'dana@example\u3002com'],
    ['a ligature in the domain', 'dana@\ufb01ne.example'],
    ['a Greek letter in the domain', 'dana@exampl\u03b5.com'],
    ['an emoji in the domain', 'dana@\u{1f4a9}.example'],
    ['a slash in the domain', 'dana@b\u00fccher.example/x'],
    ['a port', 'dana@b\u00fccher.example:25'],
    ['a per cent sign in the domain', 'dana@b\u00fccher%2eexample'],
    ['a label that begins with a hyphen', 'dana@-example.com'],
    ['a label that ends with a hyphen', 'dana@example-.com'],
    ['a label of 64 characters', `dana@${'d'.repeat(64)}.com`],
    ['a low line in the domain', 'dana@ex_ample.com'],
    ['two dots in the domain', 'dana@example..com'],
    ['an IPv4 address', 'dana@192.0.2.1'],
    ['an invalid ASCII form', 'dana@xn--a.example'],
    ['a backslash', 'da\\na@example.com'],
    ['a semicolon', 'dana;eve@example.com'],
    ['a dot at the end of the local part', 'dana.@example.com'],
    ['a local part of 65 characters', `${'a'.repeat(65)}@example.com`],
    ['no local part', '@example.com'],
    ['no domain', 'dana@'],
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
    ['255 characters', long.replace('LOCAL', 'ab')],
    ['60,000 characters', `${'a.'.repeat(30_000)}@example.com`],
    ['no characters', ' '],
  ])('with %s is refused', (_what, entered) => {
    expect(emailAddress.safeParse(entered).success).toBe(false)
  })

  it.each([
    'dana\uff20example.com',
    'dana@example\uff0ecom',
    '\uff44ana@example.com',
    'dana@example\u3002com',
  ])('with full-width characters is refused with a sentence that names them: %s', (entered) => {
    expect(emailAddress.safeParse(entered).error?.issues[0]?.message).toMatch(/full-width/)
  })
})
