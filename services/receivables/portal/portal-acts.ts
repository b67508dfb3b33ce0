import { paragraphs } from '#contracts/form-text'
import { isReceivableId } from '#contracts/ids'
import { addDays, parseDay } from '#services/finance/calendar'
import { maxDaysOfPromise } from '../decide-agreement.ts'
import { dayOf } from '../day-of.ts'
import type { ReceivableAct } from '../follow-up.ts'
import type { AddedReceivable } from '../receivable-state.ts'
import { openOf } from '../receivable-state.ts'
import type { Receivables } from '../receivables-service.ts'
import { agreementsOf } from './agreements-of.ts'
import { portalContext } from './portal-forms.ts'
import type { Said } from './portal-said.ts'
import { longDay } from './portal-words.ts'
import { firstPromiseDay } from './promise-offer.ts'
import { maxInvoices, type Visit } from './portal.ts'

type Form = Readonly<Record<string, string>>

/** What became of an act: a result that the page announces, or why nothing was done. */
export type ActDone =
  | { readonly kind: 'done'; readonly said: Said }
  | { readonly kind: 'refused'; readonly sentence: string }

export const maxCharactersOfDispute = 2_000
const disputeText = paragraphs('What is wrong', maxCharactersOfDispute).min(
  1,
  'Write what is wrong with the invoice.',
)

const changed = refused('This page has changed. Look at what is open now, and try again.')
const nothingOpen = refused('Nothing of this is open any more.')

/**
 * What a client does with its invoices in the portal. A repeat changes nothing, and what a failure
 * left out is done when the form is sent again.
 */
export function createPortalActs({
  receivables,
  newId,
}: {
  readonly receivables: Pick<Receivables, 'calendarOf' | 'listedReceivables' | 'actOnReceivable'>
  readonly newId: () => string
}) {
  return { promise, withdrawPromise, dispute, withdrawDispute }

  /** `form`: the ids of the invoices, and the day as `by`, or as `other` if `by` says so. */
  async function promise(visit: Visit, form: Form): Promise<ActDone> {
    const found = await ownInvoices(visit, form['invoices'])
    if (found === null) return changed
    const payable = found.filter(({ state }) => openOf(state) > 0 && state.disputedBy === null)
    if (payable.length === 0) return nothingOpen
    const { today } = await receivables.calendarOf(visit.merchantId)
    const first = firstPromiseDay(
      payable.map(({ state }) => ({ dueDate: dayOf(state.details.dueDate) })),
      today,
    )
    const last = addDays(today, maxDaysOfPromise)
    const by = parseDay((form['by'] === 'other' ? form['other'] : form['by'])?.trim() ?? '')
    if (by === null || by < first || by > last)
      return refused(`Enter a day from ${longDay(first)} to ${longDay(last)}, such as ${last}.`)
    const id = newId()
    for (const { state } of payable)
      await act(visit, state, { type: 'promise-payment', by, madeBy: 'client' }, id)
    return { kind: 'done', said: 'promised' }
  }

  async function withdrawPromise(visit: Visit, form: Form): Promise<ActDone> {
    const found = await ownInvoices(visit, form['invoices'])
    if (found === null) return changed
    const id = newId()
    for (const { state } of found) await act(visit, state, { type: 'withdraw-promise' }, id)
    return { kind: 'done', said: 'promise-withdrawn' }
  }

  async function dispute(visit: Visit, form: Form): Promise<ActDone> {
    const text = disputeText.safeParse(form['text'] ?? '')
    if (!text.success) return refused(text.error.issues[0]?.message ?? 'Write what is wrong.')
    const [found] = (await ownInvoices(visit, form['invoice'])) ?? []
    if (found === undefined) return changed
    const { number } = found.state
    if (openOf(found.state) === 0) return nothingOpen
    const present = agreementsOf(found).dispute
    if (present !== null && present.text !== text.data)
      return refused(
        present.madeBy === 'client'
          ? `${number} is disputed already. Withdraw that dispute to send other words.`
          : `${number} is disputed already. Nothing was sent.`,
      )
    await act(
      visit,
      found.state,
      { type: 'dispute-receivable', text: text.data, madeBy: 'client' },
      newId(),
    )
    return { kind: 'done', said: 'disputed' }
  }

  async function withdrawDispute(visit: Visit, form: Form): Promise<ActDone> {
    const [found] = (await ownInvoices(visit, form['invoice'])) ?? []
    if (found === undefined) return changed
    await act(visit, found.state, { type: 'withdraw-dispute' }, newId())
    return { kind: 'done', said: 'dispute-withdrawn' }
  }

  /** Null if one of the ids is no invoice of the client, or there are none or too many. */
  async function ownInvoices({ merchantId, clientId }: Visit, text: string | undefined) {
    const ids = [...new Set(text?.split(' '))].filter(isReceivableId)
    if (text === undefined || ids.length === 0 || ids.length > maxInvoices) return null
    const found = await receivables.listedReceivables(merchantId, ids)
    const isOwn = found.every(({ state }) => state.clientId === clientId)
    return isOwn && found.length > 0 ? found : null
  }

  /**
   * An invoice that was paid or ended meanwhile is left out: the page says what is open then.
   * @throws EventStoreUnavailable
   */
  async function act(
    { merchantId }: Visit,
    { receivableId }: AddedReceivable,
    what: ReceivableAct,
    id: string,
  ): Promise<void> {
    await receivables.actOnReceivable(
      merchantId,
      receivableId,
      what,
      portalContext(`${what.type} ${receivableId}`, id),
    )
  }
}

function refused(sentence: string): ActDone {
  return { kind: 'refused', sentence }
}
