import type { ReceivableId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { CheckedRow, RowChange, SentRow } from '#contracts/receivables/imports'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Day } from '#services/finance/calendar'
import { inParallel } from '#services/foundation/in-parallel'
import { clientStream, receivableStream } from '#services/foundation/stream-names'
import { clientDecider } from '../client-decider.ts'
import type { ClientState } from '../client-state.ts'
import { receivableIdOf } from '../receivable-id.ts'
import { receivableDecider } from '../receivable-decider.ts'
import { openOf, type ReceivableState } from '../receivable-state.ts'
import { refusalSentence } from '../refusal-answers.ts'
import type { ClientFinderParts, FoundClient } from './find-clients.ts'
import { rowSentence } from './row-sentences.ts'
import { commandOfRow, outcomeOf } from './store-rows.ts'

const parallelReads = 16

/** What would become of the rows now. Stores nothing. */
export async function checkRows(
  {
    commands,
    knownAmong,
  }: {
    readonly commands: Pick<CommandHandler, 'load'>
    readonly knownAmong: ClientFinderParts['knownAmong']
  },
  rows: readonly { readonly row: SentRow; readonly found: FoundClient }[],
  at: { readonly merchantId: UserId; readonly today: Day; readonly at: Instant },
): Promise<readonly CheckedRow[]> {
  const checked: CheckedRow[] = []
  const first = new Map<ReceivableId, number>()
  for (const [index, { row, found }] of rows.entries()) {
    if (found.kind !== 'found') continue
    const id = receivableIdOf(found.clientId, row.number)
    if (!first.has(id)) first.set(id, index)
  }
  // Streams that no list knows are new: they are not read.
  const known = await knownAmong([...first.keys()])
  await inParallel(parallelReads, [...rows.entries()], async ([index, { row, found }]) => {
    const base = { row: row.row, number: row.number, changes: [], candidates: [] }
    const none = { ...base, receivableId: null, clientId: null, consentNote: null }
    if (found.kind !== 'found') {
      checked[index] = {
        ...none,
        outcome: 'refused',
        code: found.kind,
        sentence: rowSentence(found.kind),
        isNewClient: false,
        candidates: found.kind === 'unclear-client' ? [...found.clients] : [],
      }
      return
    }
    const { clientId, isNew: isNewClient } = found
    const receivableId = receivableIdOf(clientId, row.number)
    const placed = { ...base, receivableId, clientId, isNewClient }
    if (first.get(receivableId) !== index) {
      const code = 'repeated-number'
      const sentence = rowSentence(code)
      checked[index] = { ...placed, outcome: 'refused', code, sentence, consentNote: null }
      return
    }
    const receivable = known.has(receivableId)
      ? (
          await commands.load({
            decider: receivableDecider,
            stream: receivableStream(receivableId),
          })
        ).state
      : receivableDecider.initialState
    const client = isNewClient
      ? clientDecider.initialState
      : (await commands.load({ decider: clientDecider, stream: clientStream(clientId) })).state
    const consentNote = consentNoteOf(row, client, at.today)
    const command = commandOfRow({ row, clientId, receivableId }, at, 'check')
    const decision = receivableDecider.decide(command, receivable)
    if (decision.kind === 'refused') {
      checked[index] = {
        ...placed,
        outcome: 'refused',
        code: decision.refusal.kind,
        sentence: refusalSentence(decision.refusal, row.currency),
        consentNote,
      }
      return
    }
    const after = decision.events.reduce<ReceivableState>(receivableDecider.evolve, receivable)
    checked[index] = {
      ...placed,
      outcome: outcomeOf(decision.events),
      code: null,
      sentence: null,
      changes: changesOf(receivable, after),
      consentNote,
    }
  })
  return checked
}

function changesOf(before: ReceivableState, after: ReceivableState): RowChange[] {
  if (before.kind === 'none' || after.kind === 'none') return []
  const fields = ['amount', 'dueDate', 'issueDate', 'reference', 'url'] as const
  const details = fields.map((field) => ({
    field,
    before: before.details[field],
    after: after.details[field],
  }))
  const open = { field: 'open' as const, before: openOf(before), after: openOf(after) }
  return [...details, open].filter((change) => change.before !== change.after)
}

/** Why the consent of the row is not recorded. Null if it is, or the row has none. */
function consentNoteOf(
  { textConsent, client }: Pick<SentRow, 'textConsent' | 'client'>,
  state: ClientState,
  today: Day,
): string | null {
  if (textConsent === null) return null
  const known = state.kind === 'added' ? state : null
  if (client.phone === null && (known === null || known.details.phone === null))
    return 'The client has no phone number, so its consent to texts is not recorded.'
  if (textConsent.date > today)
    return 'The day of the consent is in the future, so the consent to texts is not recorded.'
  if (known?.hadConsent === true && !known.mayText)
    return "The client's consent to texts was withdrawn. An import does not record it again."
  return null
}
