import type { Position } from '#services/event-store/event-store'
import type { Administrators } from '#services/administrators/administrators'
import {
  activeAdministrators,
  administratorsWith,
} from '#services/administrators/administrators-state'
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
  readonly most: number | null
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
   * The proposals of all administrators that wait, and the approved exports that the person can
   * download now.
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
  most,
  administrators,
  commands,
  clock,
}: {
  readonly most: number | null
  readonly administrators: Pick<Administrators, 'load'>
  readonly commands: CommandHandler
  /** The business clock. */
  readonly clock: Clock
}): ExportApprovals {
  const now = () => clock.now().toISOString()
  const streamOf = (adminId: string | null) => ({
    decider: exportApprovalDecider,
    stream: exportApprovalStream(adminId),
  })
  const areTooFew = async () => administratorsWith(await administrators.load(), 'export').length < 2

  return {
    most,

    async propose(proposed, by, context) {
      if (await areTooFew()) return { kind: 'too-few' }
      const command = { type: 'propose', proposed, by, at: now() } as const
      return changed(by.adminId, proposed.requestId, command, context)
    },

    decide: (exporter, requestId, decision, by, context) =>
      changed(exporter, requestId, { ...decision, requestId, by, at: now() }, context),

    async open(adminId) {
      const at = now()
      const people = activeAdministrators(await administrators.load())
      const ofAll = await Promise.all(
        people.map(async (person) => {
          const { state } = await commands.load(streamOf(person.adminId))
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
      if (most === null) return unlimited
      const ofPerson = by.isNamed ? by.adminId : null
      const refuse = async (refusal: ExportApprovalRefusal) => {
        if (refusal.kind !== 'needs-second-person') return refusedExport(refusal)
        if (await areTooFew()) return tooFewExporters(refusal)
        return isSearched ? searchedExport(refusal) : refusedExport(refusal)
      }
      return permit('alone', ofPerson, refuse, (rows) => ({
        type: 'take-alone',
        rows,
        most,
        by,
        at: now(),
      }))
    },

    permitApproved: (by, requestId) =>
      permit(requestId, by.adminId, refusedExport, (rows) => ({
        type: 'take-approved',
        requestId,
        rows,
        most: most ?? Infinity,
        by,
        at: now(),
      })),
  }

  function permit(
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

function isOpen(proposal: ExportProposal, adminId: string, at: string): boolean {
  const { decision, by } = proposal
  if (decision.kind === 'waiting') return !isExpired(proposal, at)
  return (
    decision.kind === 'approved' &&
    by === adminId &&
    Date.parse(at) <= Date.parse(decision.takeBefore)
  )
}
