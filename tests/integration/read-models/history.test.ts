import { describe, expect, it } from '@jest/globals'
import { eventLabel, labeledTypes } from '#contracts/event-labels'
import { eventCatalogue } from '#contracts/events/catalogue'
import { prepareBatch } from '#projections/engine/run/prepare-batch'
import { handledTypes, schemaOf } from '#projections/engine/read-model'
import { history } from '#projections/history/read-model'
import { NewerEvent } from '#services/event-store/newer-event'
import { accountOpened, paymentSucceeded, recorded } from '../../support/data/events.ts'
import { someEvent } from '../../support/data/some-event.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const db = sharedReadModelFixture()
const hmac = 'ab'.repeat(32)

async function rows(columns: string): Promise<readonly unknown[]> {
  const found = await db.pool.query<Record<string, unknown>>(
    `SELECT ${columns} FROM ${schemaOf(history)}.event ORDER BY stream, revision`,
  )
  return found.rows.map((row) => Object.values(row))
}

describe('the history index', () => {
  it('has one row per event, with its subject, actor and times', async () => {
    const paid = paymentSucceeded('usr_1', {}, { occurredAt: '2026-03-03T09:12:00.000Z' })
    await db.given(history, [
      accountOpened('usr_1', 'dana@birchwooddental.example'),
      {
        ...paid,
        metadata: {
          ...paid.metadata,
          actor: { kind: 'payment-provider', id: 'stripe' },
          recordedAt: '2026-03-03T09:12:04.000Z',
        },
      },
    ])
    expect(await rows('stream, revision, type, subject, actor_kind')).toEqual([
      ['account-usr_1', 0, 'AccountOpened', 'usr_1', 'system'],
      ['billing-usr_1', 0, 'PaymentSucceeded', 'usr_1', 'payment-provider'],
    ])
    expect(await rows('occurred_at, recorded_at')).toContainEqual([
      new Date('2026-03-03T09:12:00.000Z'),
      new Date('2026-03-03T09:12:04.000Z'),
    ])
  })

  it('counts the claim of an address to the account, and a sign-in as administrator to no user', async () => {
    await db.given(history, [
      recorded(`email-${hmac}`, { type: 'EmailClaimed', data: { userId: 'usr_1' } }),
      recorded('adminAccess-2026-03', {
        type: 'AdminSignedIn',
        data: { adminId: 'adm_1', by: 'code' },
      }),
    ])
    expect(await rows('stream, subject')).toEqual([
      ['adminAccess-2026-03', null],
      [`email-${hmac}`, 'usr_1'],
    ])
  })

  it('has every event type of the catalogue, and each type has a title of its own', () => {
    expect([...handledTypes(history)].sort()).toEqual(Object.keys(eventCatalogue).sort())
    const titles = labeledTypes.map((type) => eventLabel(type).title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})

describe('an event without its payload', () => {
  const codec = { decode: () => Promise.reject(new Error('The payload was decrypted.')) }
  const stored = {
    ...someEvent({ type: 'AccountOpened', data: { userId: 'usr_1', email: { $personal: 'v1:' } } }),
    stream: 'account-usr_1',
    revision: 0,
    position: '1',
    number: 1,
  }

  it('is prepared for the index without its key', async () => {
    expect(await prepareBatch(codec, history, [stored])).not.toBeNull()
  })

  it.each([
    ['type', { ...stored, type: 'FromTheFuture' }, 'does not know its type'],
    [
      'schema version',
      { ...stored, metadata: { ...stored.metadata, schemaVersion: 99 } },
      'It has schema version 99',
    ],
  ])('stops the index at a newer %s', async (_what, event, reason) => {
    const prepared = prepareBatch(codec, history, [event])
    await expect(prepared).rejects.toThrow(NewerEvent)
    await expect(prepared).rejects.toThrow(reason)
  })
})
