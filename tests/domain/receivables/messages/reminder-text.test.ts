import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { normalTemplate } from '#contracts/receivables/template-language'
import { lengthOfText } from '#services/sms/segments'
import { renderReminderText } from '#services/receivables/messages/render-reminder-text'
import {
  originalTemplates,
  templateTones,
} from '#services/receivables/templates/original-templates'
import { refusedTemplate } from '#services/receivables/templates/refused-template'
import { usualData } from '#services/receivables/messages/usual-data'
import { anyData, anyText, data, invoice } from '../../../support/receivables/message-data.ts'

const friendly = originalTemplates.friendly.text.body
const rendered = (over: Partial<typeof data>, template = friendly) =>
  renderReminderText(template, { ...data, ...over })

describe('a text', () => {
  it('names the sender first, what is open, the link and how to stop', () => {
    expect(rendered({})).toEqual({
      body: 'Alder Dental: Invoice AD-1187 is 7 days late. Open: $840.00. See it here: https://agilereceivables.example/pay/k7Qm2VxTz9RbWc4nYdE1UgH3sLp8aJfN6qBe0ZyKu5M Reply STOP to end texts.',
      alphabet: 'gsm',
      units: 179,
      segments: 2,
    })
  })

  it('lists several invoices, the sums by currency, and holds for all due dates', () => {
    const others = [
      { ...invoice, number: 'AD-1214', dueDate: data.today, open: 28_500 },
      { ...invoice, number: 'AD-1300', currency: 'inr', open: 5_000 },
    ]
    expect(rendered({ receivables: [invoice, ...others] }).body).toContain(
      'Invoices AD-1187, AD-1300 and AD-1214 are up to 7 days late. Open: $1,125.00 and INR 50.00.',
    )
  })

  it('of a name with an accent stays in the GSM alphabet', () => {
    const { body, alphabet } = rendered({ clientName: 'Łukasz Größe' }, '{client}: {link}')
    expect(alphabet).toBe('gsm')
    expect(body).toContain('Lukasz Größe')
  })

  it('with a long client and many invoices is shortened, and keeps amount and link', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ ...invoice, number: `AD-${index}` }))
    const { body, segments } = rendered(
      { clientName: 'W'.repeat(300), receivables: many },
      originalTemplates.final.text.body,
    )
    expect(segments).toBeLessThanOrEqual(2)
    expect(body).toContain('WWWWWWWWWWWW..., we have written before about 500 invoices')
    expect(body).toContain('$420,000.00')
    expect(body).toContain(data.portalUrl)
  })

  it('fits two segments, names its sender first, and has link and STOP, whatever it is about', () => {
    fc.assert(
      fc.property(anyText, anyData, (template, of) => {
        const { body, segments, units } = renderReminderText(normalTemplate(template), of)
        expect(segments).toBeLessThanOrEqual(2)
        expect({ segments, units }).toMatchObject({
          segments: lengthOfText(body).segments,
          units: lengthOfText(body).units,
        })
        expect(body.endsWith(' Reply STOP to end texts.')).toBe(true)
        expect(body).not.toMatch(/\r/)
      }),
    )
  })
})

describe('a template of a text', () => {
  const usual = usualData({ ...data, tone: 'final' })

  it.each(templateTones)(
    'fits two segments with usual values: the original of the tone %s',
    (tone) => {
      expect(refusedTemplate('text', originalTemplates[tone].text.body, usual)).toBeNull()
    },
  )

  it('is refused if its words alone are too long', () => {
    expect(refusedTemplate('text', `${'word '.repeat(50)}{link}`, usual)).toMatch(
      /^With a usual name and amount the text has \d+ characters, and two segments have 306\. Shorten it\.$/,
    )
  })

  it('is refused if an emoji makes it too long, and names the emoji', () => {
    expect(refusedTemplate('text', `🦷 ${'word '.repeat(12)}{link}`, usual)).toMatch(
      /two segments have 134, because of “🦷”, which is not in the alphabet of texts/,
    )
  })
})

describe('the segments of a text', () => {
  it.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    [`${'a'.repeat(152)}€${'a'.repeat(151)}`, 2],
    [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['王'.repeat(70), 1],
    ['王'.repeat(134), 2],
    ['王'.repeat(135), 3],
  ])('of %s are %i', (text, segments) => {
    expect(lengthOfText(text).segments).toBe(segments)
  })
})
