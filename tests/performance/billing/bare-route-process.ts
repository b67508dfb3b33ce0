import type { AddressInfo } from 'node:net'
import express from 'express'
import Stripe from 'stripe'

// The webhook route that the benchmark compares with: it verifies the signature and answers. It
// runs until the benchmark disconnects, in a separate process like the product.
const [secret] = process.argv.slice(2)
if (secret === undefined || process.send === undefined)
  throw new Error('Only the benchmark starts this process: run `npm run bench -- billing`.')

const app = express()
app.post('/', express.raw({ type: () => true }), (request, response) => {
  Stripe.webhooks.constructEvent(
    request.body as Buffer,
    request.get('stripe-signature') ?? '',
    secret,
  )
  response.json({ received: true })
})
const server = app.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
process.once('disconnect', () => process.exit(0))
