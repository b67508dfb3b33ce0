import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  normalTemplate,
  partsOfTemplate,
  problemInWords,
  problemsOfTemplate,
  type TemplateField,
} from '#contracts/receivables/template-language'
import {
  originalTemplates,
  templateTones,
} from '#services/receivables/templates/original-templates'
import { anyText } from '../../../support/receivables/message-data.ts'

const problems = (text: string, field: TemplateField = 'mail') =>
  problemsOfTemplate(text, field).map(problemInWords)

describe('a template', () => {
  it('with an unknown variable is refused with its place and the known variables', () => {
    expect(problems('Hello {client},\n\n🦷 an {inovice} is open.')).toEqual([
      'Line 3, column 6: There is no variable {inovice}. The variables are {client}, {company}, {invoices}, {is}, {amount}, {due date}, {days late}.',
    ])
  })

  it('accepts a variable in capitals and with spaces', () => {
    expect(problems('Hello { Client }, due on {DUE  DATE}.')).toEqual([])
  })

  it.each([
    ['Hello {client', 'Line 1, column 7: A variable has both braces'],
    ['Hello client}', 'Line 1, column 13: A variable has both braces'],
    ['{{client}}', 'Line 1, column 1: A variable has both braces'],
    ['A\u0000B', 'Line 1, column 2: Here is a character that cannot be shown.'],
    ['A\u202EB', 'Line 1, column 2: Here is a character that cannot be shown.'],
    ['A\uD800', 'Line 1, column 2: Here is a character that cannot be shown.'],
    ['', 'Line 1, column 1: Write a text.'],
    ['x'.repeat(5_001), 'Line 1, column 5001: An e-mail has 5,000 characters at most.'],
    ['Pay at {link}', "Line 1, column 8: An e-mail has a button to the client's page"],
  ])('%j is refused: %s', (text, sentence) => {
    expect(problems(text)[0]).toMatch(sentence)
  })

  it.each([
    'https://evil.example/x',
    'http://1.2.3.4',
    'www.evil.example',
    'evil.com',
    'EVIL.COM',
    'pay-here.co.uk',
    'front@alderdental.example',
    'bücher.example',
    'evil\u200B.\u200Bcom',
    'evil．com',
    '10.0.0.1',
    '{client}.com',
    'week.Please',
    'ftp://files',
  ])('has no link: %j is refused with its place', (address) => {
    const [problem] = problems(`Pay now:\nat ${address} today`)
    expect(problem).toMatch(/^Line 2, column 4: “/)
    expect(problem).toContain(`${address}” reads as an internet address.`)
  })

  it.each([
    'At 9 a.m. or 5 p.m. on Nov. 3, e.g. by check.',
    'The fee is 1.5 percent, or 1,240.00 dollars.',
    'Please pay. Thank you... really.',
    'Call (541) 555-0162.',
    'فاتورتك مستحقة. يرجى الدفع هذا الأسبوع.',
    '請付款。謝謝。',
    'Dear Ms. Whitaker: 3/4 is paid.',
  ])('keeps a text without a link: %s', (text) => {
    expect(problems(text)).toEqual([])
  })

  it('has one line if it is a subject', () => {
    expect(problems('One\nTwo', 'subject')).toEqual([
      'Line 1, column 4: A subject has one line. Remove the line break.',
    ])
  })

  it('has a link if it is a text', () => {
    expect(problems('Open: {amount}.', 'text')[0]).toMatch(
      /^Line 1, column 16: A text needs \{link\}/,
    )
  })

  it.each(templateTones)('that is the original of the tone %s has no problem', (tone) => {
    const { mail, text } = originalTemplates[tone]
    expect(problems(mail.subject, 'subject')).toEqual([])
    expect(problems(mail.body)).toEqual([])
    expect(problems(text.body, 'text')).toEqual([])
  })

  it('is the sum of its parts, whatever was typed', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parts = partsOfTemplate(text)
        expect(parts.map((part) => (part.type === 'words' ? part.text : part.typed)).join('')).toBe(
          text,
        )
      }),
    )
  })

  it('of 5,000 dots and letters is checked at once', () => {
    const before = performance.now()
    for (const text of [
      'a.'.repeat(2_500),
      'a-'.repeat(2_500),
      'a'.repeat(5_000),
      '{'.repeat(5_000),
    ])
      problems(normalTemplate(text))
    expect(performance.now() - before).toBeLessThan(1_000)
  })
})
