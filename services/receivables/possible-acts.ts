import type { InvoiceResponse } from '#contracts/receivables/invoice'
import type { InvoiceActType } from '#contracts/receivables/invoice-requests'
import type { ReceivablesAccess } from '#contracts/receivables/shared'
import { refusalSentence, type Refusal } from './refusal-answers.ts'
import { openOf, type AddedReceivable } from './receivable-state.ts'

type Act = InvoiceResponse['acts'][number]

/** Why not: a refusal of the decider, or a sentence about an act that would change nothing. */
type Why = Refusal | string | null

const rules: Readonly<Record<InvoiceActType, (state: AddedReceivable, hasCredit: boolean) => Why>> =
  {
    change: () => null,
    'record-payment': () => null,
    'correct-payment': noPayment,
    'reverse-payment': noPayment,
    'issue-credit-memo': nothingOpen,
    'apply-credit': (state, hasCredit) =>
      nothingOpen(state) ?? (hasCredit ? null : 'The client has no credit of this currency.'),
    'take-credit-back': ({ credits }) =>
      [...credits.values()].some(({ applied, isTakenBack }) => applied > 0 && !isTakenBack)
        ? null
        : 'No credit paid this invoice.',
    hold: () => null,
    release: ({ hold }) =>
      hold === null ? 'The reminders of this invoice are not on hold.' : null,
    promise: nothingOpen,
    'withdraw-promise': ({ promisedBy }) =>
      promisedBy === null ? 'No promise is recorded for this invoice.' : null,
    dispute: ({ disputedBy }) => (disputedBy === null ? null : 'The invoice is already disputed.'),
    'resolve-dispute': ({ disputedBy }) =>
      disputedBy === null ? 'The invoice is not disputed.' : null,
    'write-off': nothingOpen,
    cancel: (state) => (openOf(state) === state.details.amount ? null : { kind: 'is-reduced' }),
    reopen: ({ ended }) => (ended === null ? { kind: 'not-ended' } : null),
  }

/** The acts that an invoice takes after its end. */
const ofEnded: ReadonlySet<InvoiceActType> = new Set(['reopen', 'reverse-payment'])

/** Every act, and why it would be refused or change nothing now. */
export function possibleActs(
  state: AddedReceivable,
  hasCredit: boolean,
  access: ReceivablesAccess,
): Act[] {
  return Object.entries(rules).map(([type, rule]) => {
    if (!access.mayAct) return { type, mayDo: false, code: 'read-only', sentence: access.sentence }
    const isRefused = state.ended !== null && !ofEnded.has(type as InvoiceActType)
    const why: Why =
      isRefused && state.ended !== null
        ? { kind: 'ended', how: state.ended.kind }
        : rule(state, hasCredit)
    if (why === null) return { type, mayDo: true, code: null, sentence: null }
    return typeof why === 'string'
      ? { type, mayDo: false, code: null, sentence: why }
      : {
          type,
          mayDo: false,
          code: why.kind,
          sentence: refusalSentence(why, state.currency),
        }
  })
}

function nothingOpen(state: AddedReceivable): Why {
  return openOf(state) === 0 ? { kind: 'nothing-open' } : null
}

function noPayment({ payments }: AddedReceivable): Why {
  return [...payments.values()].some(
    ({ reversed, checkoutId }) => reversed === null && checkoutId === null,
  )
    ? null
    : 'No payment is recorded for this invoice.'
}
