import type { ExportApprovalEvent } from '#contracts/events/export-approval'
import type { Instant } from '#contracts/instant'
import {
  approveProposal,
  decideProposal,
  expiryOf,
  refusedPerson,
  type Approval,
  type Person,
  type ProposalRefusal,
} from '#services/administrators/second-person/proposal-rules'
import {
  accepted,
  refused,
  unreachable,
  type CommandOf,
  type Decider,
  type Decision,
} from '#services/foundation/decider'
import {
  aloneMs,
  evolveExports,
  noExports,
  type ExportProposal,
  type ExportsOfPerson,
} from './export-proposals-state.ts'

export type ProposedExport = Pick<
  ExportProposal,
  'requestId' | 'list' | 'format' | 'query' | 'rows' | 'reason'
>

interface OfProposal {
  readonly requestId: string
  readonly by: Person
  readonly at: Instant
}

export type ExportApprovalCommand =
  | {
      readonly type: 'propose'
      readonly proposed: ProposedExport
      readonly by: Person
      readonly at: Instant
    }
  | ({ readonly type: 'approve' } & OfProposal & Approval)
  | ({ readonly type: 'decline'; readonly why: string } & OfProposal)
  | ({ readonly type: 'withdraw' } & OfProposal)
  /** `rows`: those of the file. `max`: what one administrator exports alone. */
  | ({
      readonly type: 'take-approved'
      readonly rows: number | null
      readonly max: number
    } & OfProposal)
  | {
      readonly type: 'take-alone'
      readonly rows: number | null
      readonly max: number
      readonly by: Person
      readonly at: Instant
    }

/**
 * - `other-request`: the id was used before, for another export.
 * - `not-approved`: no administrator has decided yet.
 * - `late`: the approval is over.
 * - `grown`: the list has grown by more than one administrator exports alone.
 * - `needs-second-person`: `exported` are the rows of the last 24 hours.
 */
export type ExportApprovalRefusal =
  | ProposalRefusal
  | { readonly kind: 'other-request' | 'not-approved' | 'late' }
  | { readonly kind: 'grown'; readonly from: number; readonly to: number | null }
  | {
      readonly kind: 'needs-second-person'
      readonly rows: number | null
      readonly exported: number
      readonly max: number
    }

/** How long an approved export can be downloaded. */
export const takeHours = 24

type Decided = Decision<ExportApprovalEvent, ExportApprovalRefusal>
type Of<Type extends ExportApprovalCommand['type']> = CommandOf<ExportApprovalCommand, Type>

/** What one administrator exports, alone and with a second person. A repeat adds nothing. */
export const exportApprovalDecider: Decider<
  'exportApproval',
  ExportsOfPerson,
  ExportApprovalCommand,
  ExportApprovalEvent,
  ExportApprovalRefusal
> = {
  category: 'exportApproval',
  initialState: noExports,
  evolve: evolveExports,

  decide(command, state) {
    // The shared password exports alone, while no administrator is named.
    const refusal = command.type === 'take-alone' ? null : refusedPerson(command.by, 'export')
    if (refusal !== null) return refused(refusal)
    switch (command.type) {
      case 'propose':
        return propose(command, state)
      case 'approve':
        return approve(command, state)
      case 'decline':
        return decline(command, state)
      case 'withdraw':
        return withdraw(command, state)
      case 'take-approved':
        return takeApproved(command, state)
      case 'take-alone':
        return takeAlone(command, state)
      default:
        return unreachable(command)
    }
  },
}

function propose(
  { proposed, by: { adminId }, at }: Of<'propose'>,
  { proposals }: ExportsOfPerson,
): Decided {
  const { requestId, list, format, query } = proposed
  const known = proposals.get(requestId)
  if (known === undefined)
    return accepted({
      type: 'ExportProposed',
      data: { ...proposed, query: { ...query }, adminId, expiresAt: expiryOf(at) },
      occurredAt: at,
    })
  const isSame =
    known.by === adminId &&
    known.list === list &&
    known.format === format &&
    isSameQuery(known.query, query)
  if (!isSame) return refused({ kind: 'other-request' })
  const { kind } = known.decision
  return kind === 'waiting' || kind === 'approved'
    ? accepted()
    : refused({ kind: 'decided', as: kind })
}

function approve(command: Of<'approve'>, { proposals }: ExportsOfPerson): Decided {
  const { requestId, at, by } = command
  return approveProposal(proposals.get(requestId), command, (proposal) => ({
    type: 'ExportProposalApproved',
    data: {
      ...inEvent(proposal),
      by: by.adminId,
      takeBefore: later(at, takeHours * 3_600_000),
    },
  }))
}

function decline(command: Of<'decline'>, { proposals }: ExportsOfPerson): Decided {
  const { requestId, by, why } = command
  return decideProposal(proposals.get(requestId), 'declined', command, (proposal) => ({
    type: 'ExportProposalDeclined',
    data: { ...inEvent(proposal), by: by.adminId, why },
  }))
}

function withdraw(command: Of<'withdraw'>, { proposals }: ExportsOfPerson): Decided {
  return decideProposal(proposals.get(command.requestId), 'withdrawn', command, (proposal) => ({
    type: 'ExportProposalWithdrawn',
    data: inEvent(proposal),
  }))
}

/** An approved export is taken once. */
function takeApproved(
  { requestId, rows, max, by, at }: Of<'take-approved'>,
  { proposals }: ExportsOfPerson,
): Decided {
  const known = proposals.get(requestId)
  if (known === undefined) return refused({ kind: 'unknown' })
  if (known.by !== by.adminId) return refused({ kind: 'of-another' })
  const { decision } = known
  if (decision.kind === 'waiting') return refused({ kind: 'not-approved' })
  if (decision.kind !== 'approved') return refused({ kind: 'decided', as: decision.kind })
  if (Date.parse(at) > Date.parse(decision.takeBefore)) return refused({ kind: 'late' })
  if (known.rows !== null && (rows === null || rows > known.rows + max))
    return refused({ kind: 'grown', from: known.rows, to: rows })
  return accepted({
    type: 'ApprovedExportTaken',
    data: { ...inEvent(known), rows },
    occurredAt: at,
  })
}

/**
 * All exports of the last 24 hours count together, so that parts of a list do not evade the rule.
 */
function takeAlone(
  { rows, max, by: { adminId }, at }: Of<'take-alone'>,
  { alone }: ExportsOfPerson,
): Decided {
  const exported = alone
    .filter(({ countsUntil }) => Date.parse(countsUntil) > Date.parse(at))
    .reduce((sum, each) => sum + each.rows, 0)
  if (rows === null || exported + rows > max)
    return refused({ kind: 'needs-second-person', rows, exported, max })
  return accepted({
    type: 'ExportTakenAlone',
    data: { adminId, rows, countsUntil: later(at, aloneMs) },
    occurredAt: at,
  })
}

function inEvent({ by, requestId, list, rows }: ExportProposal) {
  return { adminId: by, requestId, list, rows }
}

function isSameQuery(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  )
}

function later(at: Instant, ms: number): Instant {
  return new Date(Date.parse(at) + ms).toISOString()
}
