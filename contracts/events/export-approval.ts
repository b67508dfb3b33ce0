import { z } from 'zod'
import { instant } from '../instant.ts'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'

/** `adminId`: the administrator who exports, whose key encrypts the texts. */
const ofExporter = { adminId: z.string() }

/** `rows` is null if the list has more rows than are counted. */
const proposal = {
  ...ofExporter,
  requestId: z.string(),
  /** The name in the path, such as `active-subscriptions`. */
  list: z.string(),
  rows: z.int().min(1).nullable(),
}

/**
 * Stream `exportApproval-{adminId}`: the exports of one administrator, if a setting limits what one
 * administrator exports alone. What is above the limit is proposed, and another administrator
 * approves it. `by` is the administrator who decided.
 */
export const exportApprovalEvents = {
  /** After `expiresAt` the proposal is not approved. */
  ExportProposed: event(['approval'], {
    ...proposal,
    format: mayGrow(z.enum(['csv', 'xlsx'])),
    /**
     * The filters and the order of the list, such as `{ status: 'blocked' }`. There is no search:
     * its text can be personal.
     */
    query: z.record(z.string(), z.string()),
    reason: personal(z.string()),
    expiresAt: instant,
  }),
  /** The administrator who proposed the export downloads it once, until `takeBefore`. */
  ExportProposalApproved: event(['approval'], { ...proposal, by: z.string(), takeBefore: instant }),
  ExportProposalDeclined: event(['approval'], {
    ...proposal,
    by: z.string(),
    why: personal(z.string()),
  }),
  ExportProposalWithdrawn: event(['approval'], proposal),
  /** Recorded before the first byte of the file. */
  ApprovedExportTaken: event(['approval'], proposal),
  /** An export that needed no second person. Its rows count until `countsUntil`. */
  ExportTakenAlone: event(['admin-access'], {
    ...ofExporter,
    rows: z.int().min(1),
    countsUntil: instant,
  }),
} as const

export type ExportApprovalEvent = EventsOf<typeof exportApprovalEvents>
