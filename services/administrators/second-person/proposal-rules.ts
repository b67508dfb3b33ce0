import { mayDo, type AdminRight, type AdminRole } from '#contracts/admin/roles'
import type { Instant } from '#contracts/instant'
import { accepted, refused, type Decision } from '#services/foundation/decider'

/** Who an administrator is at the moment of the command. */
export interface Person {
  readonly adminId: string
  /** False for the shared password, which names no person. */
  readonly isNamed: boolean
  readonly role: AdminRole
}

/** What one administrator proposed, and another one decides about. */
interface Proposal {
  /** The id of the administrator who proposed it. */
  readonly by: string
  /** It can be approved until then. */
  readonly expiresAt: Instant
  /** `by`: the administrator who decided. */
  readonly decision: { readonly kind: ProposalStatus; readonly by?: string }
}

/**
 * `failed`: it was approved, and then not carried out. `taken`: it was approved, and the one who
 * proposed it has used the approval.
 */
export type ProposalStatus = 'waiting' | 'approved' | 'declined' | 'withdrawn' | 'failed' | 'taken'

/**
 * - `unnamed`: the shared password neither proposes nor decides.
 * - `not-allowed`: the person's role does not have the right now.
 * - `own`: the second person is another one.
 * - `of-another`: a person withdraws the own proposals only.
 * - `not-entitled`: the one who proposed it was ended or has another role now.
 * - `decided`: the proposal has another decision.
 */
export type ProposalRefusal =
  | { readonly kind: 'unnamed' | 'unknown' | 'own' | 'of-another' | 'expired' | 'not-entitled' }
  | { readonly kind: 'not-allowed'; readonly role: AdminRole }
  | { readonly kind: 'decided'; readonly as: ProposalStatus }

/** How long a proposal can be approved. */
export const proposalDays = 7

/** The last moment at which a proposal of this moment can be approved. */
export function expiryOf(at: Instant): Instant {
  return new Date(Date.parse(at) + proposalDays * 86_400_000).toISOString()
}

export function isExpired({ expiresAt }: Pick<Proposal, 'expiresAt'>, at: Instant): boolean {
  return Date.parse(at) > Date.parse(expiresAt)
}

/** Why the person neither proposes nor decides what needs this right. Null if the person may. */
export function refusedPerson(
  { isNamed, role }: Person,
  right: AdminRight,
): ProposalRefusal | null {
  if (!isNamed) return { kind: 'unnamed' }
  return mayDo(role, right) ? null : { kind: 'not-allowed', role }
}

/** What an approval needs besides the person who approves. */
export interface Approval {
  /** The ids of the administrators who may propose this now: both persons need the right. */
  readonly entitled: ReadonlySet<string>
}

/** Decides about a proposal, and approves only what one of the entitled administrators proposed. */
export function approveProposal<Known extends Proposal, Event>(
  proposal: Known | undefined,
  command: { readonly by: Person; readonly at: Instant } & Approval,
  eventOf: (proposal: Known) => Event,
): Decision<Event, ProposalRefusal> {
  const decided = decideProposal(proposal, 'approved', command, eventOf)
  const isNew = decided.kind === 'accepted' && decided.events.length > 0
  return isNew && proposal !== undefined && !command.entitled.has(proposal.by)
    ? refused({ kind: 'not-entitled' })
    : decided
}

/** Decides about a proposal. Undefined: the proposal is not known. A repeat adds nothing. */
export function decideProposal<Known extends Proposal, Event>(
  proposal: Known | undefined,
  as: 'approved' | 'declined' | 'withdrawn',
  { by: { adminId }, at }: { readonly by: Person; readonly at: Instant },
  eventOf: (proposal: Known) => Event,
): Decision<Event, ProposalRefusal> {
  if (proposal === undefined) return refused({ kind: 'unknown' })
  const { decision, by } = proposal
  if (decision.kind !== 'waiting')
    return decision.kind === as && decision.by === adminId
      ? accepted()
      : refused({ kind: 'decided', as: decision.kind })
  const isOwn = by === adminId
  if (as === 'withdrawn' && !isOwn) return refused({ kind: 'of-another' })
  if (as !== 'withdrawn' && isOwn) return refused({ kind: 'own' })
  if (as === 'approved' && isExpired(proposal, at)) return refused({ kind: 'expired' })
  return accepted<Event>({ ...eventOf(proposal), occurredAt: at })
}
