import type { Position } from '#services/event-store/event-store'
import type { Administrators } from '#services/administrators/administrators'
import { administratorsWith } from '#services/administrators/administrators-state'
import type { ProposalDecision } from '#services/administrators/second-person/proposal-decision'
import { isExpired, type Person } from '#services/administrators/second-person/proposal-rules'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { exportApprovalStream } from '#services/foundation/stream-names'
import { unlimited, type ExportPermit } from '../exports/export-permit.ts'
import {
  exportApprovalDecider,
  type ExportApprovalCommand,
  type ExportApprovalRefusal,
  type ProposedExport,
} from './export-approval-decider.ts'
import { refusedExport, searchedExport, tooFewExporters } from './export-approval-sentences.ts'
import type { ExportProposal } from './export-proposals-state.ts'

type Changed =
  | { readonly kind: 'refused'; readonly refusal: ExportApprovalRefusal }
  | {
      readonly kind: 'done'
      readonly position: Position | null
      readonly proposal: ExportProposal
    }

/** Exports of personal data that need a second administrator. */
export interface ExportApprovals {
  /** The most records that one administrator exports alone within 24 hours. Null: any number. */
  readonly max: number | null
  /** `too-few`: fewer than two named administrators may export. @throws EventStoreUnavailable */
  propose(
    proposed: ProposedExport,
    by: Person,
    context: CommandContext,
  ): Promise<Changed | { readonly kind: 'too-few' }>
  /** `exporter`: the id of the administrator who proposed the export. */
  decide(
    exporter: string,
    requestId: string,
    decision: ProposalDecision,
    by: Person,
    context: CommandContext,
  ): Promise<Changed>
  /**
   * The proposals that wait, of all administrators who may export now, and the approved exports
   * that the person can download now.
   * @throws EventStoreUnavailable
   */
  open(adminId: string): Promise<readonly ExportProposal[]>
  /** The export that this administrator proposed. Null if there is none. */
  own(adminId: string, requestId: string): Promise<ExportProposal | null>
  /** What an export needs that no other administrator approved. */
  permitAlone(by: Person, isSearched: boolean): ExportPermit
  /** What the download of a proposed export needs. */
  permitApproved(by: Person, requestId: string): ExportPermit
}

export function createExportApprovals({
  max,
  administrators,
  commands,
  clock,
}: {
  readonly max: number | null
  readonly administrators: Pick<Administrators, 'load'>
  readonly commands: CommandHandler
  /** The business clock. */
  readonly clock: Clock
}): ExportApprovals {
  const now = () => clock.now().toISOString()
  /** The administrators whose proposals can be approved now. */
  const entitled = async () =>
    administratorsWith(await administrators.load(), 'export').map((each) => each.adminId)
  const areTooFew = async () => (await entitled()).length < 2

  return {
    max,

    async propose(proposed, by, context) {
      if (await areTooFew()) return { kind: 'too-few' }
      const command = { type: 'propose', proposed, by, at: now() } as const
      return changed(by.adminId, proposed.requestId, command, context)
    },

    async decide(exporter, requestId, decision, by, context) {
      const act = { requestId, by, at: now() }
      const command =
        decision.type === 'approve'
          ? { ...decision, ...act, entitled: new Set(await entitled()) }
          : { ...decision, ...act }
      return changed(exporter, requestId, command, context)
    },

    async open(adminId) {
      const at = now()
      const ofAll = await Promise.all(
        (await entitled()).map(async (exporter) => {
          const { state } = await commands.load(streamOf(exporter))
          return [...state.proposals.values()].filter((each) => isOpen(each, adminId, at))
        }),
      )
      return ofAll.flat()
    },

    async own(adminId, requestId) {
      const { state } = await commands.load(streamOf(adminId))
      return state.proposals.get(requestId) ?? null
    },

    permitAlone(by, isSearched) {
      if (max === null) return unlimited
      const ofPerson = by.isNamed ? by.adminId : null
      const refuse = async (refusal: ExportApprovalRefusal) => {
        if (refusal.kind !== 'needs-second-person') return refusedExport(refusal)
        if (await areTooFew()) return tooFewExporters(refusal)
        return isSearched ? searchedExport(refusal) : refusedExport(refusal)
      }
      return permit(commands, 'alone', ofPerson, refuse, (rows) => ({
        type: 'take-alone',
        rows,
        max,
        by,
        at: now(),
      }))
    },

    permitApproved: (by, requestId) =>
      permit(commands, requestId, by.adminId, refusedExport, (rows) => ({
        type: 'take-approved',
        requestId,
        rows,
        max: max ?? Infinity,
        by,
        at: now(),
      })),
  }

  async function changed(
    exporter: string,
    requestId: string,
    command: ExportApprovalCommand,
    context: CommandContext,
  ): Promise<Changed> {
    const handled = await commands.handle({ ...streamOf(exporter), command, context })
    if (handled.kind === 'refused') return { kind: 'refused', refusal: handled.refusal }
    const proposal = handled.state.proposals.get(requestId)
    if (proposal === undefined)
      throw new Error(`The decided export ${requestId} is not in the log. This is a bug.`)
    return { kind: 'done', position: handled.position, proposal }
  }
}

function streamOf(adminId: string | null) {
  return { decider: exportApprovalDecider, stream: exportApprovalStream(adminId) }
}

/** The decider's answer to `take`, asked before an export and recorded with it. */
function permit(
  commands: CommandHandler,
  key: string,
  adminId: string | null,
  refuse: (refusal: ExportApprovalRefusal) => Error | Promise<Error>,
  take: (rows: number | null) => ExportApprovalCommand,
): ExportPermit {
  return {
    key,
    async check(rows) {
      const { state } = await commands.load(streamOf(adminId))
      const decision = exportApprovalDecider.decide(take(rows), state)
      if (decision.kind === 'refused') throw await refuse(decision.refusal)
    },
    async take(rows, context) {
      const handled = await commands.handle({
        ...streamOf(adminId),
        command: take(rows),
        // DataExported, which follows, is the act of the administrator.
        context: {
          ...context,
          actor: { kind: 'system', id: 'export approvals' },
          source: 'system',
        },
      })
      return handled.kind === 'refused' ? refuse(handled.refusal) : null
    },
  }
}

function isOpen(proposal: ExportProposal, adminId: string, at: string): boolean {
  const { decision, by } = proposal
  if (decision.kind === 'waiting') return !isExpired(proposal, at)
  return (
    decision.kind === 'approved' &&
    by === adminId &&
    Date.parse(at) <= Date.parse(decision.takeBefore)
  )
}
