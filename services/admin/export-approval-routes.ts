import { z } from 'zod'
import { decideProposalRequest } from '#contracts/admin/decide-proposal'
import {
  exportProposalChanged,
  exportProposalsResponse,
  proposeExportRequest,
} from '#contracts/admin/export-proposals'
import { maxWorkbookRows } from '#contracts/admin/exports'
import { adminListNames, adminLists, type AdminListName } from '#contracts/admin/lists'
import { parametersAsText } from '#contracts/export-filters'
import type { Administrators } from '#services/administrators/administrators'
import { personOf } from '#services/administrators/second-person/person-of'
import { decisionOf } from '#services/administrators/second-person/proposal-decision'
import type { Clock } from '#services/foundation/clock'
import { unreachable } from '#services/foundation/decider'
import { download } from '#services/http/answer'
import { checked } from '#services/http/checked'
import { commandContext } from '#services/http/command-context'
import { HttpError } from '#services/http/http-error'
import { administratorKeys, type Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import {
  noSecondPersonNeeded,
  refusedExport,
  searchedProposal,
  tooFewExporters,
} from './export-approvals/export-approval-sentences.ts'
import type { ExportApprovals } from './export-approvals/export-approvals.ts'
import type { ExportProposal } from './export-approvals/export-proposals-state.ts'
import { exportContentTypes } from './exports/content-types.ts'
import type { QueryOf } from './exports/exported-columns.ts'
import { eventStream, type ExportQueries, type SentLists } from './exports/sent-list.ts'
import { tooManyRows } from './exports/workbook-parts.ts'

export interface ExportApprovalParts {
  readonly approvals: ExportApprovals
  readonly administrators: Pick<Administrators, 'names'>
  readonly queries: Pick<ExportQueries, 'ready' | 'lists'>
  readonly lists: SentLists
  readonly limits: Pick<Limits, 'listExport'>
  /** The business clock. */
  readonly clock: Clock
}

const byId = z.object({ id: z.string().min(1).max(64) })
const byExporter = z.object({ adminId: z.string().min(1).max(100), ...byId.shape })

/** Exports of personal data that need a second administrator. */
export function exportApprovalRoutes({
  approvals,
  administrators,
  queries,
  lists,
  limits,
  clock,
}: ExportApprovalParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/export-proposals',
      summary: 'List the exports that wait for a second administrator, and the own approved ones',
      access: 'admin',
      right: 'export',
      answer: exportProposalsResponse,
      async handle(_input, { adminId }) {
        const [open, names] = await Promise.all([approvals.open(adminId), administrators.names()])
        const items = open.flatMap((each) => {
          const list = listOf(each)
          return list === null ? [] : [itemOf(list, each, names)]
        })
        return { items: items.toSorted((a, b) => (a.until < b.until ? -1 : 1)) }
      },
    })

    route({
      method: 'post',
      path: '/api/admin/export-proposals',
      appends: 'administrator',
      work: 'exports',
      summary: 'Propose an export to another administrator',
      access: 'admin',
      right: 'export',
      body: proposeExportRequest,
      answer: exportProposalChanged,
      alsoAnswers: [404, 409],
      async handle({ body }, context) {
        if (approvals.max === null) throw noSecondPersonNeeded()
        const { request_id: requestId, list, format, reason } = body
        const query = queryOf(list, body.query)
        if (query.search !== '') throw searchedProposal()
        await queries.ready(context)
        const rows = await countOf(list, query, context.signal)
        if (rows === 0) throw new HttpError(404, 'No data to export')
        if (format === 'xlsx' && (rows === null || rows > maxWorkbookRows)) throw tooManyRows()
        const { page: _page, pageSize: _size, search: _search, ...selected } = query
        const proposed = {
          requestId,
          list,
          format,
          reason,
          query: parametersAsText(selected),
          rows,
        }
        const result = await approvals.propose(
          proposed,
          await personOf(context),
          commandContext(context, { kind: 'admin', id: context.adminId }),
        )
        if (result.kind === 'too-few') throw tooFewExporters(null)
        if (result.kind === 'refused') throw refusedExport(result.refusal)
        context.admin.remember(result.position)
        context.log.info({ list, export: requestId }, 'An export was proposed.')
        return answerOf(result.proposal)
      },
    })

    route({
      method: 'post',
      path: '/api/admin/export-proposals/:adminId/:id/decision',
      appends: 'administrator',
      summary: 'Approve, decline or withdraw a proposed export',
      access: 'admin',
      right: 'export',
      params: byExporter,
      body: decideProposalRequest,
      answer: exportProposalChanged,
      alsoAnswers: [404, 409],
      async handle({ params, body }, context) {
        const decided = await approvals.decide(
          params.adminId,
          params.id,
          decisionOf(body),
          await personOf(context),
          commandContext(context, { kind: 'admin', id: context.adminId }),
        )
        if (decided.kind === 'refused') throw refusedExport(decided.refusal)
        context.admin.remember(decided.position)
        context.log.info(
          { decision: body.decision, export: params.id },
          'A proposed export was decided.',
        )
        return answerOf(decided.proposal)
      },
    })

    route({
      method: 'get',
      path: '/api/admin/export-proposals/:id/file',
      appends: 'administrator',
      work: 'exports',
      summary: 'Download an approved export, once',
      access: 'admin',
      right: 'export',
      ignoresIdempotencyKey: true,
      params: byId,
      answer: download(
        [exportContentTypes.csv, exportContentTypes.xlsx, eventStream],
        'The list as it is now. An XLSX file is sent with its progress as text/event-stream, if the client prefers it',
      ),
      alsoAnswers: [404, 409, 429],
      async handle({ params: { id } }, context) {
        await limits.listExport.spend(...administratorKeys(context))
        await queries.ready(context)
        const proposal = await approvals.own(context.adminId, id)
        const list = proposal && listOf(proposal)
        if (proposal === null || list === null) throw refusedExport({ kind: 'unknown' })
        const query = queryOf(list, proposal.query)
        const permit = approvals.permitApproved(await personOf(context), id)
        return lists.sent({ list, query, format: proposal.format, permit }, context)
      },
    })
  }

  async function countOf<Name extends AdminListName>(
    list: Name,
    query: QueryOf<Name>,
    signal: AbortSignal,
  ): Promise<number | null> {
    const counted = await queries.lists[list](
      { ...query, page: 1, pageSize: 1 },
      clock.now(),
      signal,
    )
    return counted.totalIsExact ? counted.total : null
  }
}

/** @throws HttpError 400 for a parameter that the list does not have */
function queryOf<Name extends AdminListName>(
  list: Name,
  query: Readonly<Record<string, string>>,
): QueryOf<Name> {
  const listed: z.ZodObject = adminLists[list].query
  const parameters = checked(listed.omit({ page: true, pageSize: true }), query)
  // The schema of the same list parsed the parameters.
  return { ...adminLists[list].query.parse(parameters) } as QueryOf<Name>
}

/** Null: another release may have lists that this release does not have. */
function listOf({ list }: ExportProposal): AdminListName | null {
  return adminListNames.find((name) => name === list) ?? null
}

function itemOf(list: AdminListName, proposal: ExportProposal, names: ReadonlyMap<string, string>) {
  const { requestId, format, query, rows, reason, by, expiresAt, decision } = proposal
  const isApproved = decision.kind === 'approved'
  const nameOf = (id: string) => names.get(id) ?? id
  return {
    id: requestId,
    list,
    format,
    query: { ...query },
    records: rows,
    reason,
    proposed_by: { id: by, name: nameOf(by) },
    status: isApproved ? ('approved' as const) : ('waiting' as const),
    approved_by: isApproved ? nameOf(decision.by) : null,
    until: isApproved ? decision.takeBefore : expiresAt,
  }
}

function answerOf({ requestId, decision }: ExportProposal): z.infer<typeof exportProposalChanged> {
  return { id: requestId, status: decision.kind, message: messageOf(decision.kind) }
}

function messageOf(status: ExportProposal['decision']['kind']): string {
  switch (status) {
    case 'waiting':
      return 'Proposed. Another administrator decides about it on the page Approvals.'
    case 'approved':
      return 'Approved. The administrator who proposed the export can download it once.'
    case 'declined':
      return 'Declined the export'
    case 'withdrawn':
      return 'Withdrew the export'
    case 'taken':
      return 'The export was approved and downloaded before.'
    default:
      return unreachable(status)
  }
}
