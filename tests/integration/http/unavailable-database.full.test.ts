import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import express, { type RequestHandler } from 'express'
import pino from 'pino'
import { answerErrors } from '#services/http/error-handler'
import { createPool } from '#services/postgres/connect'
import { isDatabaseUnavailable } from '#services/postgres/unavailable'
import { freePort } from '../../support/machine/free-port.ts'
import { serverUrl } from '../../support/postgres/database.ts'

/** The answer of a server that runs `handler` for every request. */
async function answerOf(
  handler: RequestHandler,
): Promise<{ status: number; retryAfter: string | null }> {
  const server = express()
    .use(handler)
    .use(answerErrors(pino({ level: 'silent' })))
    .listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const { status, headers } = await fetch(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    )
    return { status, retryAfter: headers.get('retry-after') }
  } finally {
    server.close()
  }
}

async function answerWithDatabaseAt(
  address: Partial<Pick<URL, 'hostname' | 'port' | 'pathname'>>,
): Promise<{ status: number; retryAfter: string | null }> {
  const pool = createPool(Object.assign(new URL(serverUrl('postgres')), address).href)
  try {
    return await answerOf(async () => void (await pool.query('SELECT 1')))
  } finally {
    await pool.end()
  }
}

describe('a request that needs PostgreSQL', () => {
  it('gets 503 while the host name of the server does not resolve', async () => {
    expect(await answerWithDatabaseAt({ hostname: 'no-such-host.invalid' })).toEqual({
      status: 503,
      retryAfter: '2',
    })
  })

  it('gets 503 while no server listens on the port', async () => {
    expect(await answerWithDatabaseAt({ port: String(await freePort()) })).toEqual({
      status: 503,
      retryAfter: '2',
    })
  })

  it('gets 500 if the database does not exist, because a retry cannot succeed', async () => {
    expect(await answerWithDatabaseAt({ pathname: 'elsewhere' })).toEqual({
      status: 500,
      retryAfter: null,
    })
  })
})

describe('an unavailable database', () => {
  it.each([
    { code: 'EAI_AGAIN', syscall: 'getaddrinfo' },
    { code: 'ENOENT', syscall: 'connect' },
    { code: '53100' },
    { code: '57P03' },
    { errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }] },
    new Error('Connection terminated unexpectedly'),
  ])('is recognized by %p', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  it.each([
    { code: 'ENOENT', syscall: 'open' },
    { code: '23505' },
    { code: '22P05' },
    new Error('anything else'),
    'text',
    null,
  ])('is not recognized by %p', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false)
  })
})
