import type { ClientId, UserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { Day } from '#services/finance/calendar'
import { createReceivablesSide } from '#services/start/create-receivables-side'
import type { PlannedClient } from './planned-act.ts'

/** Noon in most zones of the USA. */
const timeOf = (day: Day) => new Date(`${day}T17:00:00.000Z`)

/** A client with the number of its invoices. */
export interface RecordedClient {
  readonly clientId: ClientId
  readonly invoices: number
}

/**
 * Records the planned clients and invoices of a merchant, each act at noon of its day, and returns
 * the clients in the order of the plan. Repeating it with the same `seed` adds nothing.
 * @throws Error if an act is refused: the plan is wrong
 */
export async function recordMerchant(
  {
    commands,
    keys,
  }: { readonly commands: CommandHandler; readonly keys: Pick<PersonalKeys, 'createAll'> },
  merchantId: UserId,
  seed: number,
  clients: readonly PlannedClient[],
): Promise<readonly RecordedClient[]> {
  const recorded: RecordedClient[] = []
  for (const [index, { details, consentDay, invoices }] of clients.entries()) {
    const first = invoices[0]
    if (first === undefined) continue
    const name = `demo ${seed} ${merchantId} ${index}`
    const client = await on(first.day).addClient(merchantId, details, contextOf(name))
    accept(client)
    const { clientId } = client
    if (consentDay !== null)
      accept(
        await on(consentDay).actOnClient(
          merchantId,
          clientId,
          { type: 'record-text-consent', source: 'Signed form', date: consentDay },
          contextOf(`${name} consent`),
        ),
      )
    for (const { number, day, details: of, acts } of invoices) {
      const added = await on(day).addReceivable(
        merchantId,
        { clientId, number, currency: 'usd', details: of },
        contextOf(`${name} ${number}`),
      )
      accept(added)
      for (const [at, { day: actDay, act }] of acts.entries())
        accept(
          await on(actDay).actOnReceivable(
            merchantId,
            added.receivableId,
            act,
            contextOf(`${name} ${number} ${at}`),
          ),
        )
    }
    recorded.push({ clientId, invoices: invoices.length })
  }
  return recorded

  function on(day: Day) {
    return createReceivablesSide({ commands, keys, clock: { now: () => timeOf(day) } })
  }

  function contextOf(commandId: string) {
    return {
      commandId,
      correlationId: commandId,
      actor: { kind: 'customer', id: merchantId },
      source: 'api',
    } as const
  }
}

function accept(done: { readonly kind: string; readonly refusal?: object }): void {
  if (done.kind === 'refused')
    throw new Error(`An act of the demo was refused: ${JSON.stringify(done.refusal)}`)
}
