import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { adminRoles, mayDo, type AdminRole } from '#contracts/admin/roles'
import type { ExportApprovalEvent } from '#contracts/events/export-approval'
import {
  exportApprovalDecider,
  type ExportApprovalCommand,
} from '#services/admin/export-approvals/export-approval-decider'
import type { Person } from '#services/administrators/second-person/proposal-rules'
import { given } from '../support/data/given.ts'

const at = '2026-03-03T09:12:00.000Z'
const nextDay = '2026-03-04T09:12:00.000Z'
const afterNextDay = '2026-03-04T09:12:00.001Z'
const lastMoment = '2026-03-10T09:12:00.000Z'
const tooLate = '2026-03-10T09:12:00.001Z'
const max = 500
const person = (adminId: string, role: AdminRole = 'finance', isNamed = true): Person => ({
  adminId,
  role,
  isNamed,
})
const ada = person('adm_ada')
const bo = person('adm_bo')

const requestId = 'a3d1b0a4-7c0f-4f64-9d0c-6f2f3c1f2a10'
const asked = {
  requestId,
  list: 'users',
  format: 'csv',
  query: { status: 'blocked' },
  rows: 1200,
  reason: 'For the auditor.',
} as const
const propose = (by = ada, changes = {}): ExportApprovalCommand => ({
  type: 'propose',
  proposed: { ...asked, ...changes },
  by,
  at,
})
const all: ReadonlySet<string> = new Set(['adm_ada', 'adm_bo', 'adm_cleo'])
const approve = (by = bo, when = at, entitled = all) =>
  ({ type: 'approve', requestId, by, at: when, entitled }) as const
const decline = (by = bo) => ({ type: 'decline', requestId, why: 'Not now.', by, at }) as const
const withdraw = (by = ada) => ({ type: 'withdraw', requestId, by, at }) as const
const take = (by = ada, when = at, rows: number | null = 1200) =>
  ({ type: 'take-approved', requestId, rows, max, by, at: when }) as const
const takeAlone = (rows: number | null, when = at, by = ada) =>
  ({ type: 'take-alone', rows, max, by, at: when }) as const

const of = { adminId: 'adm_ada', requestId, list: 'users', rows: 1200 }
const proposed: ExportApprovalEvent = {
  type: 'ExportProposed',
  data: { ...asked, adminId: 'adm_ada', expiresAt: lastMoment },
}
const approved: ExportApprovalEvent = {
  type: 'ExportProposalApproved',
  data: { ...of, by: 'adm_bo', takeBefore: nextDay },
}
const declined: ExportApprovalEvent = {
  type: 'ExportProposalDeclined',
  data: { ...of, by: 'adm_bo', why: 'Not now.' },
}
const withdrawn: ExportApprovalEvent = { type: 'ExportProposalWithdrawn', data: of }
const taken: ExportApprovalEvent = { type: 'ApprovedExportTaken', data: of }
const alone = (rows: number, countsUntil = nextDay): ExportApprovalEvent => ({
  type: 'ExportTakenAlone',
  data: { adminId: 'adm_ada', rows, countsUntil },
})
const after = (...events: readonly ExportApprovalEvent[]) => given(exportApprovalDecider, ...events)
const refused = (refusal: object) => ({ refused: refusal })

describe('an export that needs a second administrator', () => {
  it('is proposed by one for 7 days, and approved by another one until the last moment', () => {
    expect(after().when(propose())).toEqual([proposed])
    expect(after(proposed).when(approve())).toEqual([approved])
    expect(after(proposed).when(approve(bo, lastMoment))).toMatchObject([{ type: approved.type }])
    expect(after(proposed).when(approve(bo, tooLate))).toEqual(refused({ kind: 'expired' }))
  })

  it('is downloaded once by the one who proposed it, within 24 hours of the approval', () => {
    expect(after(proposed, approved).when(take())).toEqual([taken])
    expect(after(proposed, approved).when(take(ada, nextDay))).toEqual([taken])
    expect(after(proposed, approved).when(take(ada, afterNextDay))).toEqual(
      refused({ kind: 'late' }),
    )
    expect(after(proposed, approved).when(take(bo))).toEqual(refused({ kind: 'of-another' }))
    expect(after(proposed, approved, taken).when(take())).toEqual(
      refused({ kind: 'decided', as: 'taken' }),
    )
  })

  it('is not downloaded before its approval, or after another decision', () => {
    expect(after(proposed).when(take())).toEqual(refused({ kind: 'not-approved' }))
    expect(after(proposed, declined).when(take())).toEqual(
      refused({ kind: 'decided', as: 'declined' }),
    )
    expect(after(proposed, withdrawn).when(take())).toEqual(
      refused({ kind: 'decided', as: 'withdrawn' }),
    )
    expect(after().when(take())).toEqual(refused({ kind: 'unknown' }))
  })

  it('has at most the records of the proposal, and those that one exports alone', () => {
    expect(after(proposed, approved).when(take(ada, at, 1700))).toMatchObject([
      { data: { rows: 1700 } },
    ])
    expect(after(proposed, approved).when(take(ada, at, 1701))).toEqual(
      refused({ kind: 'grown', from: 1200, to: 1701 }),
    )
    expect(after(proposed, approved).when(take(ada, at, null))).toEqual(
      refused({ kind: 'grown', from: 1200, to: null }),
    )
  })

  it('is not approved if the one who proposed it may not export any more, and is declined', () => {
    const others = new Set(['adm_bo', 'adm_cleo'])
    expect(after(proposed).when(approve(bo, at, others))).toEqual(refused({ kind: 'not-entitled' }))
    expect(after(proposed).when(decline())).toEqual([declined])
    expect(after(proposed, approved).when(approve(bo, at, others))).toEqual([])
  })

  it('is not approved or declined by the one who proposed it, who can withdraw it', () => {
    expect(after(proposed).when(approve(ada))).toEqual(refused({ kind: 'own' }))
    expect(after(proposed).when(decline(ada))).toEqual(refused({ kind: 'own' }))
    expect(after(proposed).when(withdraw())).toEqual([withdrawn])
    expect(after(proposed).when(withdraw(bo))).toEqual(refused({ kind: 'of-another' }))
    expect(after(proposed).when(decline())).toEqual([declined])
  })

  it.each(['support', 'reader'] as const)('is nothing that the role %s does', (role) => {
    const no = refused({ kind: 'not-allowed', role })
    expect(after().when(propose(person('adm_ada', role)))).toEqual(no)
    expect(after(proposed).when(approve(person('adm_bo', role)))).toEqual(no)
    expect(after(proposed, approved).when(take(person('adm_ada', role)))).toEqual(no)
  })

  it('is nothing that the shared password proposes or decides', () => {
    const shared = person('adm_1', 'owner', false)
    expect(after().when(propose(shared))).toEqual(refused({ kind: 'unnamed' }))
    expect(after(proposed).when(approve(shared))).toEqual(refused({ kind: 'unnamed' }))
  })

  it('with the id of another proposal is refused', () => {
    const other = refused({ kind: 'other-request' })
    expect(after(proposed).when(propose(ada, { query: {} }))).toEqual(other)
    expect(after(proposed).when(propose(ada, { query: { status: 'active' } }))).toEqual(other)
    expect(after(proposed).when(propose(ada, { list: 'payments' }))).toEqual(other)
    expect(after(proposed).when(propose(ada, { format: 'xlsx' }))).toEqual(other)
    expect(after(proposed).when(propose())).toEqual([])
  })

  it('never folds a decision without its proposal', () => {
    expect(() => after(approved)).toThrow('The log is damaged')
  })
})

describe('an export of one administrator alone', () => {
  it('counts for 24 hours, together with the earlier ones', () => {
    expect(after().when(takeAlone(500))).toEqual([alone(500)])
    expect(after(alone(300)).when(takeAlone(200))).toEqual([alone(200)])
    expect(after(alone(300)).when(takeAlone(201))).toEqual(
      refused({ kind: 'needs-second-person', rows: 201, exported: 300, max }),
    )
    expect(after(alone(500)).when(takeAlone(500, nextDay))).toMatchObject([{ data: { rows: 500 } }])
  })

  it('needs a second administrator if its records are more than are counted', () => {
    expect(after().when(takeAlone(null))).toMatchObject(refused({ kind: 'needs-second-person' }))
  })

  it('is possible with the shared password', () => {
    expect(after().when(takeAlone(1, at, person('adm_1', 'owner', false)))).toHaveLength(1)
  })

  it('does not count an approved export', () => {
    expect(after(proposed, approved, taken).when(takeAlone(500))).toEqual([alone(500)])
  })
})

const someone = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      adminId: fc.constantFrom('adm_ada', 'adm_bo', 'adm_cleo'),
      role: fc.constantFrom('owner', 'finance'),
      isNamed: fc.constant(true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      adminId: fc.constantFrom('adm_ada', 'adm_bo'),
      role: fc.constantFrom(...adminRoles),
      isNamed: fc.boolean(),
    }),
  },
)
/** Time does not run backwards in a stream: the moments of a sequence are sorted. */
const moment = fc.constantFrom(at, at, at, nextDay, afterNextDay, lastMoment, tooLate)
const id = fc.constantFrom(requestId, 'b4d1b0a4-7c0f-4f64-9d0c-6f2f3c1f2a11')
const rows = fc.constantFrom(1, 200, 500, 1200, 1200, 1701, null)
const command: fc.Arbitrary<ExportApprovalCommand> = fc.oneof(
  fc.record({
    type: fc.constant('propose' as const),
    // The stream is that of Ada.
    proposed: id.map((each) => ({ ...asked, requestId: each })),
    by: fc.constantFrom(ada, person('adm_ada', 'reader')),
    at: moment,
  }),
  fc.record({
    type: fc.constant('approve' as const),
    requestId: id,
    by: someone,
    at: moment,
    entitled: fc.constantFrom(all, all, new Set(['adm_cleo'])),
  }),
  fc.record({
    type: fc.constant('withdraw' as const),
    requestId: id,
    by: someone,
    at: moment,
  }),
  fc.record({
    type: fc.constant('decline' as const),
    requestId: id,
    why: fc.constant('No.'),
    by: someone,
    at: moment,
  }),
  fc.record({
    type: fc.constant('take-approved' as const),
    requestId: id,
    rows,
    max: fc.constant(max),
    by: fc.oneof({ weight: 3, arbitrary: fc.constant(ada) }, someone),
    at: moment,
  }),
  fc.record({
    type: fc.constant('take-alone' as const),
    rows,
    max: fc.constant(max),
    by: fc.constant(ada),
    at: moment,
  }),
)

describe('after any sequence of commands', () => {
  it('each export is taken once, after the approval of another one, and no 24 hours have too many alone', () => {
    let takings = 0
    fc.assert(
      fc.property(fc.array(command, { minLength: 8, maxLength: 40 }), (unsorted) => {
        const commands = unsorted.toSorted(
          (one, other) => Date.parse(one.at) - Date.parse(other.at),
        )
        let { state } = after()
        const approvedBy = new Map<string, string>()
        const takenIds = new Set<string>()
        const ownExports: { readonly at: number; readonly rows: number }[] = []
        for (const each of commands) {
          const decision = exportApprovalDecider.decide(each, state)
          if (decision.kind === 'refused') continue
          if (each.type !== 'take-alone') {
            expect(each.by.isNamed).toBe(true)
            expect(mayDo(each.by.role, 'export')).toBe(true)
          }
          for (const { type, data } of decision.events) {
            if (type === 'ExportProposalApproved') {
              expect(data.by).not.toBe(data.adminId)
              approvedBy.set(data.requestId, data.by)
            }
            if (type === 'ApprovedExportTaken') {
              takings++
              expect(approvedBy.has(data.requestId)).toBe(true)
              expect(takenIds.has(data.requestId)).toBe(false)
              takenIds.add(data.requestId)
            }
            if (type === 'ExportTakenAlone')
              ownExports.push({ at: Date.parse(each.at), rows: data.rows })
          }
          state = decision.events.reduce(exportApprovalDecider.evolve, state)
        }
        for (const { at: end } of ownExports) {
          const within = ownExports.filter((one) => one.at <= end && one.at > end - 86_400_000)
          expect(within.reduce((sum, one) => sum + one.rows, 0)).toBeLessThanOrEqual(max)
        }
      }),
      // Few sequences reach an approved export.
      { numRuns: 1_300 },
    )
    expect(takings).toBeGreaterThan(0)
  })
})
