import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createTransport, type Transporter } from 'nodemailer'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'

let sandbox: TestSandbox
let smtp: Transporter
beforeAll(async () => {
  sandbox = await startTestSandbox()
  smtp = createTransport({ host: '127.0.0.1', port: sandbox.smtpPort, secure: false })
})
afterAll(() => sandbox?.close())

const from = 'Agile Receivables <no-reply@example.com>'
const inbox = async (to?: string) =>
  (await (
    await fetch(
      `${sandbox.url}/inbox.json${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`,
    )
  ).json()) as Record<string, unknown>[]
const page = async (query = '') => (await fetch(`${sandbox.url}/inbox${query}`)).text()

describe('the inbox', () => {
  it('shows one line if it is empty', async () => {
    expect(await inbox()).toEqual([])
    expect(await page()).toContain(
      'No messages yet. Messages appear here when the product sends them.',
    )
  })

  it('has a mail with its parts once the mail server has accepted it', async () => {
    await smtp.sendMail({
      from,
      to: 'dana@example.com',
      subject: 'Ein Gruß aus Köln — 39 €',
      text: 'Grüße',
      html: '<p>Grüße</p>',
    })
    expect(await inbox('dana@example.com')).toEqual([
      {
        id: expect.stringMatching(/^msg_\w+$/),
        channel: 'email',
        to: 'dana@example.com',
        from: 'no-reply@example.com',
        subject: 'Ein Gruß aus Köln — 39 €',
        text: 'Grüße',
        html: expect.stringContaining('<p>Grüße</p>'),
        messageId: expect.stringMatching(/^<.+@example\.com>$/),
        replyTo: null,
        listUnsubscribe: null,
        isInbound: false,
        attachments: [],
        returnPath: 'no-reply@example.com',
        bouncedAt: null,
        sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ])
  })

  it('has the attachments and the headers that a reader acts on', async () => {
    const pdf = Buffer.from('%PDF-1.7 \0\xff receipt', 'latin1')
    await smtp.sendMail({
      from,
      to: ['files@example.com', 'copy@example.com'],
      replyTo: 'marcus@northgate.example',
      messageId: 'event-1.primary@example.com',
      subject: 'Receipt',
      text: 'Attached',
      headers: { 'List-Unsubscribe': '<mailto:help@example.com?subject=Unsubscribe>' },
      attachments: [
        { filename: 'receipt "<b>1".pdf', contentType: 'application/pdf', content: pdf },
        { filename: 'page.html', contentType: 'text/html', content: '<script>alert(1)</script>' },
      ],
    })
    for (const to of ['files@example.com', 'copy@example.com']) {
      const [message] = await inbox(to)
      expect(message).toMatchObject({
        messageId: '<event-1.primary@example.com>',
        replyTo: 'marcus@northgate.example',
        listUnsubscribe: '<mailto:help@example.com?subject=Unsubscribe>',
        attachments: [
          { fileName: 'receipt "<b>1".pdf', contentType: 'application/pdf', bytes: pdf.length },
          { fileName: 'page.html', contentType: 'text/html', bytes: 25 },
        ],
      })
      const address = `/inbox/${String(message?.['id'])}/attachments/1`
      const html = await page(`?message=${String(message?.['id'])}`)
      expect(html).toContain(`href="${address}"`)
      expect(html).toContain('marcus@northgate.example')
      expect(html).not.toContain('<b>1')
      const file = await fetch(`${sandbox.url}${address}`)
      expect(Buffer.from(await file.arrayBuffer()).equals(pdf)).toBe(true)
    }
  })

  it('offers attachments only as files, so that none runs in its pages', async () => {
    const [message] = await inbox('files@example.com')
    const file = (number: string) =>
      fetch(`${sandbox.url}/inbox/${String(message?.['id'])}/attachments/${number}`)
    const { status, headers } = await file('2')
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="?page.html"?$/)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    for (const number of ['0', '3', 'x', '99999999999999999999'])
      expect((await file(number)).status).toBe(404)
  })

  it('is sorted newest first and can be filtered by address, ignoring case', async () => {
    for (const subject of ['first', 'second'])
      await smtp.sendMail({ from, to: 'Sam@Quarry.example', subject, text: subject })
    const toSam = await inbox('sam@quarry.example')
    expect(toSam.map(({ subject }) => subject)).toEqual(['second', 'first'])
    expect((await inbox()).map(({ subject }) => subject).slice(0, 2)).toEqual(['second', 'first'])
    expect(await inbox('nobody@example.com')).toEqual([])
  })

  it('has one copy of a mail per recipient, also for blind copies', async () => {
    await smtp.sendMail({
      from,
      to: ['one@example.com', 'two@example.com'],
      bcc: 'blind@example.com',
      subject: 'all',
      text: 'all',
    })
    for (const to of ['one@example.com', 'two@example.com', 'blind@example.com'])
      expect(await inbox(to)).toHaveLength(1)
  })

  it('shows the sign-in code in the list and above the message', async () => {
    await smtp.sendMail({
      from,
      to: 'code@example.com',
      subject: 'Your sign-in code',
      text: 'Your code is 482913. It works for 10 minutes.',
    })
    const html = await page('?to=code@example.com')
    expect(html).toContain('<b class="inbox-code">482913</b>')
    expect(html).toMatch(/Code<\/span><b>482913<\/b>/)
    await smtp.sendMail({
      from,
      to: 'order@example.com',
      subject: 'Receipt 482913',
      text: 'Order 482913',
    })
    expect(await page('?to=order@example.com')).not.toContain('inbox-code')
  })

  it('escapes mailed text', async () => {
    await smtp.sendMail({
      from,
      to: 'evil@example.com',
      subject: '<img src=x onerror=alert(1)>',
      text: '<script>alert(2)</script>',
    })
    const html = await page('?to=evil@example.com')
    expect(html).not.toMatch(/<img|<script>/)
    expect(html).toContain('&lt;script&gt;alert(2)&lt;/script&gt;')
  })

  it('shows a mail with its styles in a frame without scripts', async () => {
    await smtp.sendMail({
      from,
      to: 'html@example.com',
      subject: 'html',
      html: '<html><head><title>x</title></head><body style="color:red">hello<script>alert(1)</script></body></html>',
    })
    const [message] = await inbox('html@example.com')
    expect(await page(`?message=${String(message?.['id'])}`)).toContain(
      `src="/inbox/${String(message?.['id'])}/html"`,
    )
    const frame = await fetch(`${sandbox.url}/inbox/${String(message?.['id'])}/html`)
    const policy = frame.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/sandbox (?!.*allow-scripts)/)
    expect(policy).toContain("frame-ancestors 'self'")
    expect(await frame.text()).toContain('<head><base target="_blank">')
  })
})

describe('text messages', () => {
  const send = (fields: Record<string, string>, user = 'AC_sandbox') =>
    fetch(`${sandbox.url}/2010-04-01/Accounts/AC_sandbox/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${user}:token`).toString('base64')}` },
      body: new URLSearchParams(fields),
    })

  it('appear in the same inbox', async () => {
    const response = await send({
      To: '+12185550100',
      From: '+12185550199',
      Body: 'Your payment of $39.00 failed.',
    })
    expect([response.status, await response.json()]).toEqual([
      201,
      expect.objectContaining({ status: 'queued', sid: expect.stringMatching(/^SM/) }),
    ])
    expect(await inbox('+12185550100')).toMatchObject([
      {
        channel: 'sms',
        from: '+12185550199',
        subject: null,
        text: 'Your payment of $39.00 failed.',
        html: null,
      },
    ])
  })

  it('to one number are a thread by day, with links and the number as it is written', async () => {
    const texts = ['$39.00 failed: http://localhost:3000/pay?a=1&b=2', '<b>$39.00</b> is unpaid']
    for (const Body of texts) await send({ To: '+12182345670', From: '+12185550199', Body })
    const found = await inbox('+1 218 234 5670')
    expect(found).toHaveLength(2)
    const html = await page(`?message=${String(found[0]?.['id'])}`)
    const thread = html.slice(html.indexOf('class="thread"'))
    expect(html).toContain('<h2>Texts to +1 218 234 5670</h2>')
    expect(thread.match(/class="thread-day">\w{3} \d+, \d{4}</g)).toHaveLength(1)
    expect(thread).toMatch(
      /href="http:\/\/localhost:3000\/pay\?a=1&amp;b=2"[^]*&lt;b&gt;\$39\.00&lt;\/b&gt; is unpaid/,
    )
    expect(thread.match(/aria-current="true"/g)).toHaveLength(1)
    expect(html).toMatch(/class="inbox-day">\w{3} \d+, \d{4}</)
  })

  it.each<[string, Record<string, string>, string | undefined, number]>([
    ['without a valid number', { To: 'dana', From: '+12185550199', Body: 'x' }, undefined, 400],
    ['without a body', { To: '+12185550100', From: '+12185550199', Body: '' }, undefined, 400],
    [
      'of another account',
      { To: '+12185550100', From: '+12185550199', Body: 'x' },
      'AC_other',
      401,
    ],
  ])('%s are refused', async (_what, fields, user, status) => {
    const response = await send(fields, user)
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      status,
      expect.any(String),
    ])
  })
})

describe('an unknown address', () => {
  it('is answered with a page for HTML, and an invalid body with JSON for JSON', async () => {
    const asPerson = await fetch(`${sandbox.url}/nothing`, { headers: { accept: 'text/html' } })
    expect([asPerson.status, await asPerson.text()]).toEqual([
      404,
      expect.stringContaining('Page not found'),
    ])
    const broken = await fetch(`${sandbox.url}/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"by":',
    })
    expect([broken.status, await broken.json()]).toEqual([
      400,
      { error: expect.stringContaining('JSON') },
    ])
  })
})
