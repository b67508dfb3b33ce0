import { describe, expect, it } from '@jest/globals'
import { readReport, type DeliveryReport } from '#services/mail/reports/read-report'
import { verdictOf } from '#services/mail/reports/verdict'
import { awayAnswer, postfixReport } from '../../support/mail/delivery-reports.ts'

const to = 'bounce+c1@example.com'

async function read(raw: string): Promise<DeliveryReport> {
  const report = await readReport(Buffer.from(raw))
  if (report === null) throw new Error('The mail is no report.')
  return report
}

const verdict = async (parts: Partial<Parameters<typeof postfixReport>[0]>) =>
  verdictOf(await read(postfixReport({ to, ...parts })))

describe('a delivery status notification', () => {
  it('has the fields of the message, of the recipient and of the returned headers', async () => {
    const report = await read(postfixReport({ to, envelopeId: 'c1' }))
    expect(report).toMatchObject({
      recipients: [{ action: 'failed', status: '5.1.1', code: 550 }],
      envelopeId: 'c1',
      to: [to],
    })
    expect(report.returned.get('message-id')).toBe('<one@example.com>')
    expect(JSON.stringify(report)).not.toContain('dana')
  })

  it('is also read with the whole mail that came back', async () => {
    const whole = postfixReport({ to })
      .replace('text/rfc822-headers', 'message/rfc822')
      .replace('Subject: Invoice AD-1187', 'Subject: Invoice\r\n\r\nHello\r\nMessage-ID: <two@b>')
    const { returned } = await read(whole)
    expect(returned.get('message-id')).toBe('<one@example.com>')
  })

  it('has no returned headers if the mail server sends none', async () => {
    const { returned } = await read(postfixReport({ to, returned: null }))
    expect(returned.size).toBe(0)
  })

  it.each([
    ['an automatic answer', awayAnswer(to)],
    ['a report that a person forwards', postfixReport({ to }).replace('/report;', '/mixed;')],
    ['a receipt of reading', postfixReport({ to }).replace('/delivery-status\r', '/disposition\r')],
    ['a report without a recipient', postfixReport({ to }).replace(/Final-Recipient/g, 'X-None')],
    ['a report with an unknown action', postfixReport({ to, action: 'eaten' })],
    ['nothing', ''],
    ['bytes', '\u0000\u0001\uFFFD'.repeat(1_000)],
    ['parts in parts', nested(50)],
    ['headers without an end', `X-Long: ${'a'.repeat(200_000)}`],
  ])('is not %s', async (_name, raw) => {
    expect(await readReport(Buffer.from(raw))).toBeNull()
  })

  it('is read within a second whatever its 256 KB are', async () => {
    const blocks = Array.from({ length: 40_000 }, () => 'A: b').join('\n\n')
    const started = performance.now()
    await readReport(Buffer.from(postfixReport({ to, others: [blocks] })))
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

describe('a mail', () => {
  it.each([
    ['an unknown mailbox', { status: '5.1.1' }, 'bounced'],
    ['a refusal without details', { status: '5.0.0' }, 'bounced'],
    ['a disabled mailbox', { status: '5.2.1' }, 'bounced'],
    ['a domain that leads nowhere', { status: '5.4.4' }, 'bounced'],
    ['no status, but the answer 550', { status: 'none' }, 'bounced'],
    ['no status and no answer', { status: 'none', diagnostic: null }, 'returned'],
    ['a full mailbox', { status: '5.2.2' }, 'returned'],
    ['a policy about the sender', { status: '5.7.1' }, 'returned'],
    ['an address of the sender', { status: '5.1.8' }, 'returned'],
    ['a time that is over', { status: '4.4.1' }, 'returned'],
    ['a delay', { action: 'delayed', status: '4.4.1' }, 'waits'],
    ['a status 5 that is only delayed', { action: 'delayed', status: '5.1.1' }, 'waits'],
    ['a delivery', { action: 'delivered', status: '2.0.0' }, 'arrived'],
    ['a comment after the fields', { action: 'Failed (given up)', status: '5.1.1 (x)' }, 'bounced'],
  ] as const)('with %s is %#', async (_name, parts, kind) => {
    expect((await verdict(parts)).kind).toBe(kind)
  })

  it('has arrived if one recipient of a list behind the address got it', async () => {
    const others = ['Final-Recipient: rfc822; lee@example.org\nAction: relayed\nStatus: 2.0.0']
    expect((await verdict({ others })).kind).toBe('arrived')
  })

  it('has the codes as its reason, without the address', async () => {
    expect(await verdict({})).toEqual({ kind: 'bounced', reason: '5.1.1, SMTP 550' })
  })
})

function nested(depth: number): string {
  const types = Array.from(
    { length: depth },
    (_, index) => `Content-Type: multipart/report; boundary="b${index}"\r\n\r\n--b${index}\r\n`,
  )
  return types.join('')
}
