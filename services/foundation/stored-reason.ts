import { storableText } from '#contracts/storable-text'
import { errorMessage } from './error-message.ts'
import { withoutAddresses } from './without-addresses.ts'

/**
 * The message of an error, for a column that an operator reads. A row with a reason stays after the
 * erasure of the person, so the reason has no address.
 */
export function storedReason(error: unknown): string {
  return storableText(withoutAddresses(errorMessage(error)))
}
