import {
  parseClientId,
  parseImportId,
  parseReceivableId,
  type ClientId,
  type ImportId,
  type ReceivableId,
  type UserId,
} from '#contracts/ids'
import { normalizedNumber } from '#contracts/receivables/invoice-number'
import { uuidsOf } from '#services/foundation/uuid-v5'

// This namespace never changes: with another one, a known invoice number gets another stream.
const uuidOf = uuidsOf('0f6f3a44-98f5-5b5e-b1a5-7a1c9d2b6e30')

/**
 * The id of a client's invoice. Equal numbers have one id, so that one stream cannot begin twice:
 * `AD-1187`, `ad-1187` and ` AD-1187 ` are equal.
 */
export function receivableIdOf(clientId: ClientId, number: string): ReceivableId {
  const name = JSON.stringify([clientId, normalizedNumber(number)])
  return parseReceivableId(`receivable_${uuidOf(name)}`)
}

/** The id of the client that a command adds: a repeat of the command adds the same client. */
export function clientIdOf(commandId: string): ClientId {
  return parseClientId(`client_${idOf('client', commandId).replaceAll('-', '')}`)
}

/**
 * The id of the client that an import adds. `key` is what the file says of it: equal keys of a
 * merchant add one client, in whichever order and parts the rows come. `generation` counts the
 * clients with this key that were erased: they are never joined.
 */
export function importedClientIdOf(
  merchantId: UserId,
  key: readonly (string | null)[],
  generation: number,
): ClientId {
  const name = JSON.stringify([merchantId, ...key, generation])
  return parseClientId(`client_${idOf('imported client', name).replaceAll('-', '')}`)
}

export function importIdOf(commandId: string): ImportId {
  return parseImportId(`import_${idOf('import', commandId)}`)
}

/**
 * The id of a payment, a credit memo or another part that a command records: a repeat of the
 * command has the same id.
 */
export function partIdOf(what: string, commandId: string): string {
  return `${what}_${idOf(what, commandId)}`
}

/**
 * What a receivable gets of a payment in the portal: the same however often it is recorded. A
 * payment that was given back and is there again is another one: `restoredBy` is the reversal.
 */
export function portalPaymentIdOf(
  checkoutId: string,
  receivableId: string,
  restoredBy: string | null = null,
): string {
  const name = [checkoutId, receivableId, ...(restoredBy === null ? [] : [restoredBy])]
  return `payment_${idOf('portal payment', JSON.stringify(name))}`
}

/** The credit that the surplus of a payment becomes. */
export function creditIdOf(paymentId: string): string {
  return `credit_${idOf('credit', paymentId)}`
}

function idOf(what: string, name: string): string {
  return uuidOf(JSON.stringify([what, name]))
}
