import type { RefusalCode } from '#contracts/receivables/refusals'
import { scheduleProblems } from '#contracts/receivables/schedule-rules'
import { HttpError } from '#services/http/http-error'
import type { KeyRefusal } from './api-keys.ts'

/** Every refusal is a code of the API, except a key that is not there. */
type Code = RefusalCode & KeyRefusal

const sentences: Readonly<Record<Code, string>> = {
  'too-many-keys': '20 keys are in use. Revoke one that no program uses, then make another one.',
  'key-was-shown': 'The key was made, and is shown once only. Revoke it, and make another one.',
  erased: 'The account was erased.',
  'changed-meanwhile':
    'This was changed in another window meanwhile, so nothing was saved. Discard your changes to see it, then make them again.',
  'other-sender-name':
    'The merchant has chosen another sender name meanwhile, so nothing was saved. Refresh the page.',
  'other-account':
    'The payment account was changed in another window meanwhile. Refresh the page, then try again.',
  ...scheduleProblems,
}

/** The error answer: what happened, and what to do. */
export function refusedMerchantAct(refusal: KeyRefusal): HttpError {
  return refusal === 'unknown-key'
    ? new HttpError(404, { error: 'There is no such key. Refresh the page.' })
    : new HttpError(409, { error: sentences[refusal], code: refusal })
}
