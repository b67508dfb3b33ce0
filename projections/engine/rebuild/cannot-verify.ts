/**
 * The read model does not exist, or its checkpoint or its parked streams changed during the
 * comparison. The message gives the reason.
 */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify'
}
