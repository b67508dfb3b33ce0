import type { Answer } from '../../../support/product/client.ts'

/** A call in a world of its own: each preparation makes new customers. */
export interface PreparedCall {
  readonly email?: string | undefined
  readonly userId?: string | undefined
  /** Whether all worlds give the same body. Otherwise its keys are compared. */
  readonly comparesBody: boolean
  /** Sends the call, or repeats it as a page does: the same input, and the same key. */
  send(): Promise<Answer>
  /** What the call must leave, beside its events and mails, such as who is signed in. */
  world?(): Promise<unknown>
  /**
   * An answer of the repeat that also says that the first call completed, such as 401 after the
   * deletion of the own account.
   */
  readonly alsoComplete?: number
  /** A logout succeeds without the event store. Its event is then missing (`noteSignedOut`). */
  readonly mayMissEvents?: true
}
