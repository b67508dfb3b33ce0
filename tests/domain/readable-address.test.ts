import { domainToASCII } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { emailAddress } from '#contracts/email-address'
import { readableAddress } from '#contracts/readable-address'
import { searchText } from '#projections/listing/search-text'

describe('the readable form of an address', () => {
  it.each([
    'bücher.example',
    'straße.example',
    'münchen-ost.österreich.example',
    '例え.テスト',
    '例子.测试',
    'почта.рф',
    'διεύθυνση.ελ',
    'उदाहरण.भारत',
    '한국.example',
    'مثال.example',
    'faß.пример.example',
  ])('is the spelling %s, which is stored in ASCII', (domain) => {
    const stored = emailAddress.parse(`Dana@${domain}`)
    expect(stored).toMatch(/^dana@[a-z\d.-]+$/)
    expect(readableAddress(stored)).toBe(`dana@${domain}`)
    expect(emailAddress.parse(readableAddress(stored))).toBe(stored)
  })

  it.each([
    ['Latin with a Cyrillic a', 'ex\u0430mple.com'],
    ['Cyrillic that looks like Latin', '\u0430\u0440\u0440\u04cf\u0435.com'],
    ['Greek that looks like Latin', '\u03bf\u03bd\u03bf.com'],
  ])('stays in ASCII for %s', (_what, domain) => {
    const stored = `dana@${domainToASCII(domain)}`
    expect(readableAddress(stored)).toBe(stored)
  })

  it('is in the search text of a list beside the stored form', () => {
    const text = searchText(['dana@xn--bcher-kva.example', null, ''])
    expect(text).toBe('\ndana@xn--bcher-kva.example\ndana@b\u00fccher.example')
  })

  it.each([
    'dana@example.com',
    'dana@xn--.example',
    'dana@xn--a-.example',
    'dana@xn--99999999999.example',
    'dana@xn--bcher-kvA.example',
    'xn--bcher-kva',
    '[erased]',
    '',
  ])('leaves %j as it is', (text) => {
    expect(readableAddress(text)).toBe(text.startsWith('xn--') ? 'bücher' : text)
  })
})
