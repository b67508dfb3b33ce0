import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { labelSpan, placeLabels } from '../../../web/features/receivables/invoice/line-labels.ts'
import { lineScale } from '../../../web/features/receivables/invoice/line-scale.ts'
import { addDays } from '../../../web/features/receivables/shared/days.ts'
import { anInvoice } from '../support/receivables-data.ts'

const today = '2026-11-25'

/** An invoice of today, with two payments and a promise on this day. */
function ofToday() {
  const { details, agreements, timeline, figures } = anInvoice()
  return anInvoice({
    since: today,
    details: { ...details, issueDate: today, dueDate: today },
    agreements: { ...agreements, promisedBy: today },
    figures: { ...figures, daysOverdue: 0 },
    timeline: [
      ...timeline.map((event) => ({ ...event, day: today })),
      ...timeline.map((event) => ({ ...event, id: `${event.id} again`, day: today })),
    ],
  })
}

describe('the line of an invoice', () => {
  it('on its first day has the labels beside each other and beside the needle', () => {
    const { labels, marks, now } = lineScale(ofToday(), 'wide')
    expect(now).toBe(0)
    expect(labels.map(({ title, side, edge }) => [title, side, edge])).toEqual([
      ['Today', 'below', 'first'],
      ['Due', 'above', 'after'],
    ])
    expect(marks.map(({ kind, beside }) => [kind, beside])).toEqual([
      ['added', 0],
      ['paid', 1],
      ['agreement', 2],
    ])
  })

  it('names the due date, today and the payment on a desktop, and no payment on a phone', () => {
    const titles = (width: 'wide' | 'narrow') =>
      lineScale(anInvoice(), width).labels.map(({ title }) => title)
    expect(titles('wide')).toEqual(['Today', 'Due', 'Issued', 'Paid $400.00'])
    expect(titles('narrow')).toEqual(['Today', 'Due', 'Issued'])
  })

  it('has no label over another one, over the needle or beyond the line', () => {
    const label = fc.record({
      key: fc.uuid(),
      title: fc.constantFrom('Today', 'Due', '$1,240.00', 'Written off'),
      text: fc.constantFrom('Nov 25', 'Nov 25, 2025', 'day 0'),
      at: fc.double({ min: 0, max: 100, noNaN: true }),
      sides: fc.constantFrom(['above'] as const, ['below', 'above'] as const),
    })
    fc.assert(
      fc.property(
        fc.array(label, { maxLength: 12 }),
        fc.constantFrom(284, 860),
        fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
        (labels, width, needle) => {
          const placed = placeLabels(labels, width, needle).map((each) => ({
            ...each,
            span: labelSpan(each, each.edge, width),
          }))
          for (const { side, span } of placed) {
            expect(span.from).toBeGreaterThanOrEqual(-6)
            expect(span.to).toBeLessThanOrEqual(width + 6)
            const x = needle === null ? null : (needle / 100) * width
            if (x !== null && side === 'above') expect(span.from < x && x < span.to).toBe(false)
          }
          for (const some of placed)
            for (const other of placed)
              if (some !== other && some.side === other.side && some.span.from <= other.span.from)
                expect(some.span.to).toBeLessThanOrEqual(other.span.from)
          if (labels.length > 0) expect(placed.length).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('of every length shows today or the end', () => {
    fc.assert(
      fc.property(fc.nat(700), fc.nat(60), (age, term) => {
        const { details } = anInvoice()
        const since = addDays(today, -age)
        const invoice = anInvoice({
          since,
          details: { ...details, issueDate: since, dueDate: addDays(since, term) },
        })
        for (const width of ['wide', 'narrow'] as const)
          expect(lineScale(invoice, width).labels.map(({ key }) => key)).toContain('end')
      }),
    )
  })
})
