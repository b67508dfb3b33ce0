import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import express from 'express'
import pino from 'pino'
import { newerEvent } from '#services/event-store/newer-event'
import { answerErrors } from '#services/http/error-handler'
import { someEvent } from '../../support/data/some-event.ts'

describe('requests that need a newer release', () => {
  it('get 503 with Retry-After, and share one warning without a stack per minute', async () => {
    const lines: object[] = []
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as object) })
    const { metadata } = someEvent()
    const error = newerEvent({
      ...someEvent({ type: 'NoteAdded', metadata: { ...metadata, release: '99.1.0' } }),
      stream: 'billing-usr_1',
      revision: 3,
    })
    if (error === null) throw new Error('This release knows the event.')
    const server = express()
      .use(() => {
        throw error
      })
      .use(answerErrors(log))
      .listen(0, '127.0.0.1')
    try {
      await once(server, 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/stripe/webhook`
      for (let request = 0; request < 3; request += 1) {
        const { status, headers } = await fetch(url, { method: 'POST' })
        expect([status, headers.get('retry-after')]).toEqual([503, '5'])
      }
    } finally {
      server.close()
    }
    expect(lines).toMatchObject([
      { level: 40, path: '/api/stripe/webhook', stream: 'billing-usr_1', needs: '99.1.0' },
    ])
    expect(JSON.stringify(lines)).not.toContain('"err"')
  })
})
