import type Stripe from 'stripe'
import type { CallOutcomes } from '#services/foundation/call-outcomes'

/** Notes whether Stripe answers. A status of 5xx is no answer. */
export function notingHttpClient<Client extends Pick<Stripe.HttpClient, 'makeRequest'>>(
  client: Client,
  provider: CallOutcomes,
): Client {
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = async (...request) => {
    try {
      const response = await makeRequest(...request)
      if (response.getStatusCode() < 500) provider.answered()
      else provider.failed()
      return response
    } catch (error) {
      provider.failed()
      throw error
    }
  }
  return client
}
