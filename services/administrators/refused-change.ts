import { HttpError } from '#services/http/http-error'
import type { AdministratorsRefusal } from './administrators-decider.ts'
import { refusalSentences } from './refusal-sentences.ts'

const statuses: Readonly<Record<AdministratorsRefusal, 403 | 404 | 409>> = {
  'none-named': 409,
  'not-allowed': 403,
  'unknown-administrator': 404,
  'unknown-passkey': 404,
  'first-is-owner': 409,
  'last-owner': 409,
  'email-taken': 409,
  'too-many-administrators': 409,
  'too-many-passkeys': 409,
  'passkey-known': 409,
}

/** The answer to a change of the administrators that the decider refused. */
export function refusedChange(refusal: AdministratorsRefusal): HttpError {
  return new HttpError(statuses[refusal], refusalSentences[refusal])
}
