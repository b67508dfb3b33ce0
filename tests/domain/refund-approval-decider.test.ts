import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { adminRoles, mayDo, type AdminRole } from '#contracts/admin/roles'
import type { RefundApprovalEvent } from '#contracts/events/refund-approval'
import type { Person } from '#services/administrators/second-person/proposal-rules'
import {
  refundApprovalDecider,
  type RefundApprovalCommand,
} from '#services/billing/approvals/refund-approval-decider'
import { given } from '../support/data/given.ts'

const at = '2026-03-03T09:12:00.000Z'
const lastMoment = '2026-03-10T09:12:00.000Z'
const tooLate = '2026-03-10T09:12:00.001Z'
const requestId = 'refundrequest_1'
const amount = { amount: 100_000, currency: 'usd' }
const person = (adminId: string, role: AdminRole = 'finance', isNamed = true): Person => ({
  adminId,
  role,
  isNamed,
})
const ada = person('adm_ada')
const bo = person('adm_bo')
const cleo = person('adm_cleo', 'owner')

const refund = {
  requestId,
  paymentId: 'payment_1',
  amount,
  reason: 'duplicate',
  note: null,
} as const
const propose = (by = ada, changes = {}): RefundApprovalCommand => ({
  type: 'propose',
  refund: { ...refund, ...changes },
  by,
  at,
})
const all: ReadonlySet<string> = new Set(['adm_ada', 'adm_bo', 'adm_cleo'])
const approve = (by = bo, when = at, entitled = all) =>
  ({ type: 'approve', requestId, by, at: when, entitled }) as const
const decline = (by = bo) => ({ type: 'decline', requestId, why: 'Paid once.', by, at }) as const
const withdraw = (by = ada) => ({ type: 'withdraw', requestId, by, at }) as const
const fail = { type: 'fail', requestId, why: 'Nothing is left.', at } as const

const proposed: RefundApprovalEvent = {
  type: 'RefundProposed',
  data: { ...refund, by: 'adm_ada', expiresAt: lastMoment },
}
const of = { requestId, amount }
const approved: RefundApprovalEvent = {
  type: 'RefundProposalApproved',
  data: { ...of, by: 'adm_bo' },
}
const declined: RefundApprovalEvent = {
  type: 'RefundProposalDeclined',
  data: { ...of, by: 'adm_bo', why: 'Paid once.' },
}
const withdrawn: RefundApprovalEvent = {
  type: 'RefundProposalWithdrawn',
  data: { ...of, by: 'adm_ada' },
}
const failed: RefundApprovalEvent = {
  type: 'RefundProposalFailed',
  data: { ...of, why: 'Nothing is left.' },
}
const after = (...events: readonly RefundApprovalEvent[]) => given(refundApprovalDecider, ...events)

describe('a refund that needs a second administrator', () => {
  it('is proposed by one for 7 days, and approved by another one until the last moment', () => {
    expect(after().when(propose())).toEqual([proposed])
    expect(after(proposed).when(approve())).toEqual([approved])
    expect(after(proposed).when(approve(bo, lastMoment))).toEqual([approved])
    expect(after(proposed).when(approve(bo, tooLate))).toEqual({ refused: { kind: 'expired' } })
  })

  it('is not approved or declined by the one who proposed it, who can withdraw it', () => {
    expect(after(proposed).when(approve(ada))).toEqual({ refused: { kind: 'own' } })
    expect(after(proposed).when(decline(ada))).toEqual({ refused: { kind: 'own' } })
    expect(after(proposed).when(withdraw())).toEqual([withdrawn])
    expect(after(proposed).when(withdraw(bo))).toEqual({ refused: { kind: 'of-another' } })
  })

  it('is not approved if the one who proposed it may not refund any more, and is declined', () => {
    const others = new Set(['adm_bo', 'adm_cleo'])
    expect(after(proposed).when(approve(bo, at, others))).toEqual({
      refused: { kind: 'not-entitled' },
    })
    expect(after(proposed).when(decline())).toEqual([declined])
    expect(after(proposed, approved).when(approve(bo, at, others))).toEqual([])
  })

  it('is declined with the reason by another one', () => {
    expect(after(proposed).when(decline())).toEqual([declined])
  })

  it.each(['support', 'reader'] as const)('is nothing that the role %s does', (role) => {
    const refused = { refused: { kind: 'not-allowed', role } }
    expect(after().when(propose(person('adm_ada', role)))).toEqual(refused)
    expect(after(proposed).when(approve(person('adm_bo', role)))).toEqual(refused)
    expect(after(proposed).when(decline(person('adm_bo', role)))).toEqual(refused)
    expect(after(proposed).when(withdraw(person('adm_ada', role)))).toEqual(refused)
  })

  it('is nothing that the shared password proposes or decides', () => {
    const shared = (adminId: string) => person(adminId, 'owner', false)
    const refused = { refused: { kind: 'unnamed' } }
    expect(after().when(propose(shared('adm_1')))).toEqual(refused)
    expect(after(proposed).when(approve(shared('adm_1')))).toEqual(refused)
    expect(after(proposed).when(decline(shared('adm_1')))).toEqual(refused)
  })

  it('is decided once', () => {
    const cases = [
      ['approved', approved],
      ['declined', declined],
      ['withdrawn', withdrawn],
    ] as const
    for (const [as, event] of cases)
      for (const command of [approve(cleo), decline(cleo), withdraw(cleo)])
        expect(after(proposed, event).when(command)).toEqual({ refused: { kind: 'decided', as } })
    expect(after(proposed, approved, failed).when(approve())).toEqual({
      refused: { kind: 'decided', as: 'failed' },
    })
  })

  it('with the id of another proposal is refused', () => {
    const refused = { refused: { kind: 'other-request', amount } }
    const more = { amount: { amount: 200_000, currency: 'usd' } }
    expect(after(proposed).when(propose(ada, more))).toEqual(refused)
    expect(after(proposed).when(propose(bo))).toEqual(refused)
    expect(after(proposed, declined).when(propose())).toEqual({
      refused: { kind: 'decided', as: 'declined' },
    })
  })

  it('fails only after its approval', () => {
    expect(after(proposed, approved).when(fail)).toEqual([failed])
    expect(after(proposed).when(fail)).toEqual([])
    expect(after(proposed, declined).when(fail)).toEqual([])
    expect(after().when(fail)).toEqual([])
  })

  it('that no administrator proposed is unknown', () => {
    for (const command of [approve(), decline(), withdraw()])
      expect(after().when(command)).toEqual({ refused: { kind: 'unknown' } })
  })

  it('never folds a decision without its proposal', () => {
    expect(() => after(approved)).toThrow('The log is damaged')
  })
})

const adminId = fc.constantFrom('adm_ada', 'adm_bo', 'adm_cleo')
/** Mostly persons who may decide: otherwise few sequences reach a decision. */
const someone = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      adminId,
      role: fc.constantFrom('owner', 'finance'),
      isNamed: fc.constant(true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ adminId, role: fc.constantFrom(...adminRoles), isNamed: fc.boolean() }),
  },
)
const moment = fc.constantFrom(at, at, lastMoment, tooLate)
const id = fc.constantFrom('refundrequest_1', 'refundrequest_2')
const command: fc.Arbitrary<RefundApprovalCommand> = fc.oneof(
  fc.record({
    type: fc.constant('propose' as const),
    refund: id.map((each) => ({ ...refund, requestId: each })),
    by: someone,
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
    type: fc.constant('fail' as const),
    requestId: id,
    why: fc.constant('Nothing is left.'),
    at: moment,
  }),
)

describe('after any sequence of commands', () => {
  it('each refund has one decision at most, never by its proposer alone, and a repeat adds nothing', () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 5, maxLength: 30 }), (commands) => {
        let { state } = after()
        const proposers = new Map<string, string>()
        const decided = new Set<string>()
        for (const each of commands) {
          const decision = refundApprovalDecider.decide(each, state)
          if (decision.kind === 'refused') continue
          if ('by' in each) {
            expect(each.by.isNamed).toBe(true)
            expect(mayDo(each.by.role, 'refund')).toBe(true)
          }
          for (const { type, data } of decision.events) {
            if (type === 'RefundProposed') proposers.set(data.requestId, data.by)
            else if (type !== 'RefundProposalFailed') {
              expect(decided.has(data.requestId)).toBe(false)
              decided.add(data.requestId)
              const proposer = proposers.get(data.requestId) ?? ''
              if (each.type === 'approve') expect(each.entitled.has(proposer)).toBe(true)
              const isOwn = proposer === data.by
              expect(isOwn).toBe(type === 'RefundProposalWithdrawn')
            }
          }
          state = decision.events.reduce(refundApprovalDecider.evolve, state)
          const again = refundApprovalDecider.decide(each, state)
          expect(again).toEqual({ kind: 'accepted', events: [] })
        }
      }),
    )
  })
})
