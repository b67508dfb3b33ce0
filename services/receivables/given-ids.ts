import {
  isClientId,
  isImportId,
  isReceivableId,
  type ClientId,
  type ImportId,
  type ReceivableId,
} from '#contracts/ids'
import { refusedAct } from './refusal-answers.ts'

/* Ids of requests. A text that is no id answers as an id that nothing has. */

/** @throws HttpError 404 */
export function givenClient(text: string): ClientId {
  if (isClientId(text)) return text
  throw unknown()
}

/** @throws HttpError 404 */
export function givenReceivable(text: string): ReceivableId {
  if (isReceivableId(text)) return text
  throw unknown()
}

/** @throws HttpError 404 */
export function givenImport(text: string): ImportId {
  if (isImportId(text)) return text
  throw unknown()
}

export function unknown() {
  return refusedAct({ kind: 'not-found' }, null)
}
