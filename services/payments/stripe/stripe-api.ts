import Stripe from 'stripe'
import type { ProviderApi } from '../provider-api.ts'
import { stripeName } from './from-stripe/references.ts'

export const stripeApi: ProviderApi = {
  name: stripeName,
  version: Stripe.API_VERSION,
  setUpCommand: 'billing stripe setup',
}
