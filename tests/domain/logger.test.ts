import { describe, expect, it } from '@jest/globals'
import { createLogger } from '#services/foundation/logger'

function lineOf(fields: object): Record<string, unknown> {
  const lines: string[] = []
  createLogger('info', { write: (line) => void lines.push(line) }).warn(fields, 'something')
  return JSON.parse(lines[0] ?? '{}') as Record<string, unknown>
}

describe('the logger', () => {
  it('logs an error with its cause and without the connection that pg attaches to it', () => {
    const error = Object.assign(
      new Error('It was terminated.', { cause: new Error('The server stops.') }),
      { client: { connectionParameters: { host: 'db' } } },
    )
    const line = lineOf({ err: error })
    expect(line).toMatchObject({
      msg: 'something',
      err: { message: 'It was terminated.: The server stops.' },
    })
    expect(JSON.stringify(line)).not.toContain('connectionParameters')
  })

  it('hides the addresses in the texts of errors and of their causes, and in other texts', () => {
    const reply = Object.assign(new Error('550 <dana@example.com>: Recipient address rejected'), {
      rejected: ['dana@example.com'],
      response: '550 mailbox of dana+billing@mail.example.co.uk is full',
    })
    const line = lineOf({
      err: new Error('The mail was not sent.', { cause: reply }),
      reason: 'Invalid email address: dana@example.com',
      other: { rejected: reply.rejected },
    })
    expect(JSON.stringify(line)).not.toMatch(/dana|example\.co/)
    expect(line).toMatchObject({ reason: 'Invalid email address: [address]' })
    expect(JSON.stringify(line)).toContain('Recipient address rejected')
    expect(JSON.stringify(lineOf({ err: reply }))).not.toContain('dana')
  })

  it('leaves out the values of rows that PostgreSQL repeats in its errors', () => {
    const refusal = Object.assign(new Error('duplicate key value violates unique constraint'), {
      detail: 'Failing row contains (usr_1, Dana Whitlock, Duluth).',
      where: "COPY customer, line 1: 'Dana Whitlock'",
      constraint: 'customer_pkey',
    })
    const line = lineOf({ err: refusal })
    expect(JSON.stringify(line)).not.toMatch(/Dana|Duluth/)
    expect(JSON.stringify(line)).toContain('customer_pkey')
  })

  it('hides e-mail addresses and codes, also one level deep', () => {
    expect(lineOf({ email: 'dana@example.com', body: { otp: '123456' } })).toMatchObject({
      email: '[hidden]',
      body: { otp: '[hidden]' },
    })
  })
})
