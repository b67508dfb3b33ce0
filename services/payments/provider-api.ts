/** The API of the configured payment provider. */
export interface ProviderApi {
  /** The provider's name in refs. */
  readonly name: string
  /** The version of the API that the product reads. */
  readonly version: string
  /** The command that makes webhooks of this version. */
  readonly setUpCommand: string
}
