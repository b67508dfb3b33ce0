import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  createCheckout,
  startTestSandbox,
  type TestSandbox,
} from '../../support/product/sandbox.ts'

/* PostgreSQL cannot store NUL in text. These tests send NUL wherever the sandbox accepts text. */

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
}, 60_000)
afterAll(() => sandbox?.close())

const stripe = { authorization: 'Bearer sk_test_sandbox' }
const twilio = { authorization: `Basic ${Buffer.from('AC1:token').toString('base64')}` }
const send = (method: string, path: string, form?: string, headers: Record<string, string> = {}) =>
  fetch(sandbox.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...headers,
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form === undefined ? {} : { body: form }),
  })

describe('NUL', () => {
  it.each([
    ['GET', '/inbox.json?to=dana%00@example.com', undefined],
    ['GET', '/inbox?to=%00', undefined],
    ['GET', '/inbox?message=msg%00', undefined],
    ['GET', '/inbox/msg%00/html', undefined],
    ['GET', '/checkout/cs%00', undefined],
    ['POST', '/checkout/cs%00', 'name=Dana'],
    ['GET', '/portal/bps%00', undefined],
    ['GET', '/portal/bps%00/cancel', undefined],
    ['POST', '/portal/bps%00/cancel', ''],
    ['POST', '/portal/bps%00/keep', ''],
    ['POST', '/portal/bps%00/card', 'name=Dana'],
    ['POST', '/2010-04-01/Accounts/AC%00/Messages.json', 'To=%2B12185550147&From=a&Body=b'],
  ])('in the address of %s %s gets 400', async (method, path, form) => {
    const response = await send(method, path, form, { accept: 'application/json', ...twilio })
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'The address of the request contains NUL (%00). Leave it out.' },
    ])
  })

  it.each([
    ['GET', '/v1/customers/cus%00', undefined, 'id'],
    ['GET', '/v1/subscriptions?customer=cus%00', undefined, 'customer'],
    ['GET', '/v1/customers?starting_after=cus%00', undefined, 'starting_after'],
    ['POST', '/v1/customers', 'name=Da%00na', 'name'],
    ['POST', '/v1/customers', 'metadata[userId]=usr%00', 'metadata[userId]'],
    ['POST', '/v1/customers', 'metadata[user%00]=usr', 'metadata[user\ufffd]'],
    ['POST', '/v1/subscriptions/sub%00', 'description=a', 'id'],
  ])(
    'in a call of the Stripe API gets 400 in Stripe’s form: %s %s %s',
    async (method, path, form, param) => {
      const response = await send(method, path, form, stripe)
      expect([response.status, await response.json()]).toEqual([
        400,
        {
          error: { type: 'invalid_request_error', message: expect.stringContaining('NUL'), param },
        },
      ])
    },
  )

  it('in a field of the card form counts as an empty field', async () => {
    const { id: customer } = await sandbox.stripe.customers.create({ email: 'dana@example.com' })
    const { url } = await createCheckout(sandbox.stripe, customer)
    const form = new URLSearchParams({
      email: 'dana@example.com',
      cardNumber: '4242424242424242',
      expiry: '08 / 32',
      cvc: '123',
      name: 'Dana\0',
      country: 'US',
      postalCode: '55802',
    })
    const response = await fetch(url ?? '', { method: 'POST', body: form, redirect: 'manual' })
    expect([response.status, await response.text()]).toEqual([
      422,
      expect.stringContaining('Enter the name on the card.'),
    ])
  })

  it('in a text message is stored as U+FFFD', async () => {
    const response = await send(
      'POST',
      '/2010-04-01/Accounts/AC1/Messages.json',
      'To=%2B12185550147&From=Bill%00ing&Body=Your%00code',
      twilio,
    )
    expect(response.status).toBe(201)
    expect(await inbox('+12185550147')).toMatchObject([
      { channel: 'sms', from: 'Bill\ufffding', text: 'Your\ufffdcode' },
    ])
  })

  it('in a mail is stored as U+FFFD', async () => {
    const replies = await mail([
      'EHLO here',
      'MAIL FROM:<billing@example.com>',
      'RCPT TO:<dana@example.com>',
      'DATA',
      'Subject: Your\0 code\r\nFrom: billing@example.com\r\n\r\nIt is\0 123456.\r\n.',
      'QUIT',
    ])
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual([
      '220',
      '250',
      '250',
      '250',
      '354',
      '250',
      '221',
    ])
    expect(await inbox('dana@example.com')).toMatchObject([
      { channel: 'email', subject: 'Your\ufffd code', text: 'It is\ufffd 123456.' },
    ])
  })
})

async function inbox(to: string): Promise<unknown> {
  return (await fetch(`${sandbox.url}/inbox.json?to=${encodeURIComponent(to)}`)).json()
}

/**
 * Sends each line after the answer to the previous line. Returns the answers, the greeting first.
 */
async function mail(lines: readonly string[]): Promise<readonly string[]> {
  const socket = connect(sandbox.smtpPort, '127.0.0.1').setEncoding('utf8')
  const replies: string[] = []
  const left = [...lines]
  let received = ''
  socket.on('data', (chunk: string) => {
    received += chunk
    // The last line of a reply has a space after its number.
    if (!/^\d{3} .*\r\n$/m.test(received)) return
    replies.push(received)
    received = ''
    const next = left.shift()
    if (next !== undefined) socket.write(`${next}\r\n`)
  })
  await once(socket, 'close')
  return replies
}
