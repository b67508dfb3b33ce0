import { Map as PersistentMap } from 'immutable'
import type { ExportFormat } from '#contracts/admin/exports'
import type { ExportApprovalEvent } from '#contracts/events/export-approval'
import type { Instant } from '#contracts/instant'
import { unreachable } from '#services/foundation/decider'

/** An export that one administrator proposed. */
export interface ExportProposal {
  readonly requestId: string
  /** The name in the path, such as `active-subscriptions`. */
  readonly list: string
  readonly format: ExportFormat
  /** The filters of the list and its order. */
  readonly query: Readonly<Record<string, string>>
  /** Null: more than are counted. */
  readonly rows: number | null
  readonly reason: string
  /** The administrator's id. */
  readonly by: string
  readonly expiresAt: Instant
  readonly decision:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'declined' | 'withdrawn'; readonly by: string }
    | { readonly kind: 'approved'; readonly by: string; readonly takeBefore: Instant }
    | { readonly kind: 'taken' }
}

/** The exports of one administrator. */
export interface ExportsOfPerson {
  /** By their ids. */
  readonly proposals: PersistentMap<string, ExportProposal>
  /** What was exported without a second person, as far as it may still count. */
  readonly alone: readonly { readonly rows: number; readonly countsUntil: Instant }[]
}

export const noExports: ExportsOfPerson = { proposals: PersistentMap(), alone: [] }

/** How long an export counts that one administrator made alone. */
export const aloneMs = 24 * 3_600_000

export function evolveExports(
  state: ExportsOfPerson,
  { type, data }: ExportApprovalEvent,
): ExportsOfPerson {
  switch (type) {
    case 'ExportProposed': {
      const { adminId, requestId, list, format, query, rows, reason, expiresAt } = data
      const proposal = { requestId, list, format, query, rows, reason, by: adminId, expiresAt }
      return {
        ...state,
        proposals: state.proposals.set(requestId, { ...proposal, decision: { kind: 'waiting' } }),
      }
    }
    case 'ExportProposalApproved': {
      const { requestId, by, takeBefore } = data
      return decided(state, requestId, { kind: 'approved', by, takeBefore })
    }
    case 'ExportProposalDeclined':
      return decided(state, data.requestId, { kind: 'declined', by: data.by })
    case 'ExportProposalWithdrawn':
      return decided(state, data.requestId, { kind: 'withdrawn', by: data.adminId })
    case 'ApprovedExportTaken':
      return decided(state, data.requestId, { kind: 'taken' })
    case 'ExportTakenAlone': {
      const { rows, countsUntil } = data
      const at = Date.parse(countsUntil) - aloneMs
      const counting = state.alone.filter((each) => Date.parse(each.countsUntil) > at)
      return { ...state, alone: [...counting, { rows, countsUntil }] }
    }
    default:
      return unreachable(type)
  }
}

function decided(
  state: ExportsOfPerson,
  requestId: string,
  decision: ExportProposal['decision'],
): ExportsOfPerson {
  const known = state.proposals.get(requestId)
  if (known === undefined)
    throw new Error(
      `The log has a decision about the export ${requestId}, which no administrator proposed. The log is damaged: run npm run billing -- events verify.`,
    )
  return { ...state, proposals: state.proposals.set(requestId, { ...known, decision }) }
}
