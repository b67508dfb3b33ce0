import { refusedRight, type AdminRight } from '#contracts/admin/roles'
import { unreachable } from '#services/foundation/decider'
import { HttpError } from '#services/http/http-error'
import { proposalDays, type ProposalRefusal, type ProposalStatus } from './proposal-rules.ts'

/** What is proposed, as the sentences name it. */
export interface ProposedThing {
  /** Such as `refund`. */
  readonly noun: string
  /** What an administrator needs to propose it, and to decide about it. */
  readonly right: AdminRight
}

/** Why nothing was proposed or decided, and what to do. */
export function proposalSentence(refusal: ProposalRefusal, { noun, right }: ProposedThing): string {
  switch (refusal.kind) {
    case 'unnamed':
      return 'This needs a named administrator, and the shared password names no person. Sign in with your e-mail address.'
    case 'not-allowed':
      return refusedRight(refusal.role, right)
    case 'unknown':
      return 'There is no such proposal. Reload the page.'
    case 'own':
      return `You proposed this ${noun}, so another administrator decides about it. You can withdraw it.`
    case 'of-another':
      return `Another administrator proposed this ${noun}. You can approve or decline it.`
    case 'not-entitled':
      return `The administrator who proposed this ${noun} may not do so any more. Decline it, and propose the ${noun} again.`
    case 'expired':
      return `This proposal is older than ${proposalDays} days. Propose the ${noun} again.`
    case 'decided':
      return `This proposal ${statuses[refusal.as](noun)}. Reload the page.`
    default:
      return unreachable(refusal)
  }
}

const statuses: Readonly<Record<ProposalStatus, (noun: string) => string>> = {
  waiting: () => 'waits for a second person',
  approved: () => 'was approved before',
  declined: () => 'was declined before',
  withdrawn: () => 'was withdrawn before',
  failed: (noun) => `was approved before, and the ${noun} could not be made`,
  taken: () => 'was approved and downloaded before',
}

/** The answer to a proposal or a decision that was refused with this sentence. */
export function refusedProposal(kind: string, sentence: string): HttpError {
  const forbidden = kind === 'unnamed' || kind === 'not-allowed'
  return new HttpError(kind === 'unknown' ? 404 : forbidden ? 403 : 409, sentence)
}
