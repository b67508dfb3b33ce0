import { inParallel } from '#services/foundation/in-parallel'
import { startBareRoute } from '../bare-route.ts'
import { onMeasuredProduct } from '../on-measured-product.ts'
import { perSecond, type Row } from '../report.ts'
import { median } from '../statistics.ts'
import { bareCustomer, productCustomer, type MeasuredCustomer } from './measured-customers.ts'
import { startMailSink } from './mail-sink.ts'

const customers = 20
const rounds = 5

/**
 * Measures complete sign-ins per second: a code is requested and mailed, and the code is entered.
 * Against it: a bare express and pg route with the same writes, hashes and mails. In each round
 * every customer signs in at the product, then at the bare route.
 */
export async function benchSignIn(connectionString: string): Promise<readonly Row[]> {
  const mails = await startMailSink()
  const bare = await startBareRoute('./sign-in/bare-sign-in-process', [
    connectionString,
    String(mails.port),
  ])
  try {
    const env = { SMTP_URL: `smtp://127.0.0.1:${mails.port}` }
    return await onMeasuredProduct(connectionString, env, async (product) => {
      const indexes = Array.from({ length: customers }, (_, index) => index)
      const signedUp = indexes.map((index) => productCustomer(product.url, index, mails))
      await inParallel(4, signedUp, (customer) => customer.signUp())
      const bareOnes = indexes.map((index) => bareCustomer(bare.url, index, mails))
      return [
        await compare('one after the other', 1, signedUp, bareOnes),
        await compare('16 at the same time', 16, signedUp, bareOnes),
      ]
    })
  } finally {
    await bare.stop()
    await mails.close()
  }
}

async function compare(
  what: string,
  atOnce: number,
  product: readonly MeasuredCustomer[],
  bare: readonly MeasuredCustomer[],
): Promise<Row> {
  const rates = { product: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= rounds; round += 1) {
    const [measured, against] = [await rateOf(atOnce, product), await rateOf(atOnce, bare)]
    // The first round warms the processes up.
    if (round === 0) continue
    rates.product.push(measured)
    rates.bare.push(against)
  }
  return {
    what: `sign-ins, ${what}`,
    measured: perSecond(median(rates.product)),
    against: `a bare route with the same writes, hashes and mails, ${perSecond(median(rates.bare))}`,
    ratio: median(rates.product.map((rate, round) => rate / (rates.bare[round] ?? rate))),
  }
}

/** Sign-ins per second. */
async function rateOf(atOnce: number, all: readonly MeasuredCustomer[]): Promise<number> {
  const began = performance.now()
  await inParallel(atOnce, all, (customer) => customer.signIn())
  return (all.length * 1_000) / (performance.now() - began)
}
