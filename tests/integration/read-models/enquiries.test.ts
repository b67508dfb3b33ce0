import { describe, expect, it } from '@jest/globals'
import {
  adminEnquiriesQuery,
  adminEnquiriesResponse,
  enquirySortKeys,
  type AdminEnquiriesQuery,
} from '#contracts/admin/enquiries'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { EnquiryEvent } from '#contracts/events/enquiry'
import { countEnquiries } from '#projections/enquiries/queries/count-enquiries'
import { createEnquiriesList } from '#projections/enquiries/queries/list-enquiries'
import { enquiries } from '#projections/enquiries/read-model'
import { listPage } from '#projections/listing/list-page'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const now = new Date('2026-03-20T14:30:00.000Z')
const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T09:12:00.000Z`
const sample = samplePayloads.EnquirySubmitted
const db = sharedReadModelFixture()
const enquiriesList = createEnquiriesList(async () => new Set(['visitor2@example.com']))

function submitted(
  n: number,
  over: Partial<typeof sample> = {},
  day = n,
): RecordedEvent<EnquiryEvent> {
  const data = { ...sample, email: `visitor${n}@example.com`, ...over }
  return recorded(
    `enquiry-enquiry_${n}`,
    { type: 'EnquirySubmitted', data },
    { occurredAt: at(day) },
  )
}
function then(n: number, event: EnquiryEvent, day: number, revision = 1) {
  return recorded(`enquiry-enquiry_${n}`, event, { occurredAt: at(day), revision })
}
const changed = (from: 'open' | 'inprogress' | 'closed', to: 'inprogress' | 'closed') =>
  ({ type: 'EnquiryStatusChanged', data: { from, to } }) as const

async function list(query: Partial<AdminEnquiriesQuery> = {}) {
  return adminEnquiriesResponse.parse(
    await listPage(db.pool, enquiriesList, adminEnquiriesQuery.parse(query), now),
  )
}
const idsOf = async (query: Partial<AdminEnquiriesQuery> = {}) =>
  (await list(query)).items.map(({ enquiry_id }) => enquiry_id.replace('enquiry_', ''))

describe('the list of enquiries', () => {
  it('shows an enquiry with its texts and both times', async () => {
    await db.given(enquiries, [submitted(1), then(1, changed('open', 'inprogress'), 4)])
    expect(await list()).toMatchObject({ total: 1, totalIsExact: true })
    expect((await list()).items).toEqual([
      {
        enquiry_id: 'enquiry_1',
        first_name: 'Dana',
        last_name: 'Whitlock',
        email: 'visitor1@example.com',
        phone_number: '(218) 555-0147',
        message: sample.message,
        goals: sample.goals,
        status: 'inprogress',
        created_at: at(1),
        updated_at: at(4),
        user_blocked: false,
      },
    ])
  })

  it('shows that the address is that of a blocked user', async () => {
    await db.given(enquiries, [submitted(1), submitted(2)])
    expect((await list()).items.map(({ user_blocked }) => user_blocked)).toEqual([true, false])
  })

  it('limits the days of the submission, in every order, with a status and a search', async () => {
    await db.given(enquiries, [
      submitted(1),
      submitted(2),
      submitted(3),
      submitted(4),
      then(2, changed('open', 'closed'), 9),
    ])
    const days = { from: '2026-03-02', to: '2026-03-03' }
    for (const sort of enquirySortKeys)
      expect((await idsOf({ ...days, sort })).toSorted()).toEqual(['2', '3'])
    expect(await list(days)).toMatchObject({ total: 2, totalIsExact: true })
    expect(await list({ ...days, status: 'open' })).toMatchObject({ total: 1 })
    expect(await idsOf({ ...days, search: 'visitor3' })).toEqual(['3'])
    expect(await idsOf({ ...days, search: 'visitor4' })).toEqual([])
    expect(await idsOf({ from: '2026-03-04' })).toEqual(['4'])
    expect(await idsOf({ to: '2026-03-01' })).toEqual(['1'])
  })

  it('filters by status and counts the rows', async () => {
    await db.given(enquiries, [
      submitted(1),
      submitted(2),
      submitted(3),
      then(2, changed('open', 'closed'), 5),
      then(3, changed('open', 'closed'), 6),
      then(3, changed('closed', 'inprogress'), 7, 2),
    ])
    expect(await idsOf()).toEqual(['3', '2', '1'])
    expect(await idsOf({ status: 'open' })).toEqual(['1'])
    expect(await idsOf({ status: 'closed' })).toEqual(['2'])
    expect(await idsOf({ status: 'inprogress' })).toEqual(['3'])
    expect(await countEnquiries(db.pool)).toEqual({ enquiries: 3, newEnquiries: 1 })
  })

  it('sorts by each column in both directions', async () => {
    await db.given(enquiries, [
      submitted(1, { email: 'b@example.com' }),
      submitted(2, { email: 'c@example.com' }),
      submitted(3, { email: 'a@example.com' }),
      then(1, changed('open', 'closed'), 9),
      then(2, changed('open', 'inprogress'), 8),
    ])
    const ascending = {
      created_at: ['1', '2', '3'],
      updated_at: ['3', '2', '1'],
      email: ['3', '1', '2'],
      status: ['1', '2', '3'],
    }
    for (const sort of enquirySortKeys) {
      expect(await idsOf({ sort, order: 'asc' })).toEqual(ascending[sort])
      expect(await idsOf({ sort, order: 'desc' })).toEqual(ascending[sort].toReversed())
    }
    expect(await idsOf({ page: 2, pageSize: 2, order: 'asc' })).toEqual(['3'])
  })

  it.each([
    ['visitor2', ['2']],
    ['ROSA DEL', ['2']],
    ['elgad', ['2']],
    ['De', ['2']],
    ['example', ['2', '1']],
    ['100%', []],
    ['patients', []],
    ['555', []],
  ])('finds %j in the e-mail and in the names', async (search, found) => {
    await db.given(enquiries, [
      submitted(1),
      submitted(2, { firstName: 'Rosa', lastName: 'Delgado' }),
    ])
    expect(await idsOf({ search })).toEqual(found)
  })

  it('shows an erased enquiry without its texts, and finds it by none of them', async () => {
    const events = [submitted(1), then(1, { type: 'EnquiryErased', data: {} }, 3)]
    await db.given(enquiries, events)
    const { items } = await list()
    const erased = '[erased]'
    expect(items).toMatchObject([
      { first_name: erased, last_name: erased, email: erased, message: erased, goals: erased },
    ])
    expect(items).toMatchObject([{ phone_number: erased, status: 'open', updated_at: at(1) }])
    for (const search of ['visitor1', 'Dana', 'Whitlock'])
      expect(await idsOf({ search })).toEqual([])
    const { rows } = await db.pool.query<{ row: string }>(
      'SELECT e::text AS row FROM enquiries_v2.enquiries e',
    )
    expect(rows[0]?.row).not.toMatch(/Dana|Whitlock|visitor1|555|patients/)
    // A rebuild reads the erased fields from the codec.
    const rebuilt = Object.fromEntries(
      Object.entries(sample).map(([field, value]) => [
        field,
        field === 'addressHmac' ? value : erased,
      ]),
    )
    await db.given(enquiries, [submitted(1, rebuilt), ...events.slice(1)])
    expect((await list()).items).toEqual(items)
  })

  it('stops at a status without an enquiry', async () => {
    await expect(db.given(enquiries, [then(1, changed('open', 'closed'), 1)])).rejects.toThrow(
      'Enquiry enquiry_1 has no EnquirySubmitted before this event.',
    )
  })
})
