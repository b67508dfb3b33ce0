import { z } from 'zod'
import { filled } from '../form-text.ts'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { proposer } from './proposer.ts'
import { exportFormats } from './exports.ts'
import { adminListNames } from './lists.ts'

const listName = z.enum(adminListNames)
const format = z.enum(exportFormats)
/** The parameters of the list, as text. */
const query = z.record(z.string().max(40), z.string().max(100))

/** An export that waits for a second administrator, or that the caller can download. */
const exportProposal = z.object({
  id: z.string(),
  list: listName,
  format,
  /** The filters and the order, such as `{ "status": "blocked" }`. */
  query,
  /** The records of the list when the export was proposed. Null: more than are counted. */
  records: z.int().nullable(),
  reason: z.string(),
  proposed_by: proposer,
  /** `approved`: the caller proposed it, and can download it once. */
  status: z.enum(['waiting', 'approved']),
  /** Null while it waits. */
  approved_by: z.string().nullable(),
  /**
   * The end of the time in which it can be approved or, once approved, downloaded. Of the business
   * clock.
   */
  until: instant,
})

/** `GET /api/admin/export-proposals`: what ends first comes first. */
export const exportProposalsResponse = z.object({ items: z.array(exportProposal) })

/**
 * `POST /api/admin/export-proposals`. `request_id` is a random id that the dialog keeps: the same
 * id proposes once, whatever happens to the answer. `query` has the parameters of the list without
 * pages and without a search. `reason` is for the other administrator and the product's history.
 */
export const proposeExportRequest = z.object({
  request_id: z.uuid('The id of the request is a UUID.'),
  list: listName,
  format,
  query,
  reason: filled('Reason', 500),
})

/** `message`: what happened, for the person. */
export const exportProposalChanged = z.object({
  id: z.string(),
  status: z.enum(['waiting', 'approved', 'declined', 'withdrawn', 'taken']),
  message: z.string(),
})

export type ExportProposalItem = z.infer<typeof exportProposal>

nameContracts({
  ExportProposal: exportProposal,
  ExportProposals: exportProposalsResponse,
  ProposeExportRequest: proposeExportRequest,
  ExportProposalChanged: exportProposalChanged,
})
