import type { ProviderEvent } from './provider-event.ts'

/**
 * The signature is missing, invalid or outside the tolerance, or the event has the wrong mode. The
 * route answers 400.
 */
export class UntrustedWebhook extends Error {
  override readonly name = 'UntrustedWebhook'
  /** Whether the provider sent it: the signature is valid, and its content is not. */
  readonly isSigned: boolean

  constructor(message: string, signature: 'valid' | 'not valid' = 'not valid') {
    super(message)
    this.isSigned = signature === 'valid'
  }
}

/** `ReadEvent`: what an event says to its reader. */
export interface WebhookVerifier<ReadEvent = ProviderEvent> {
  /**
   * `body` is the raw bytes, `signature` the provider's signature of them.
   * @throws UntrustedWebhook
   */
  verify(body: Buffer, signature: string | undefined): ReadEvent
  /** Whether the signature is valid for the body, whatever the body has. */
  isSigned(body: Buffer, signature: string | undefined): boolean
}
